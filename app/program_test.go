package app

import "tarry/catalogue"

// shipped is the command as tarry ships it.
func shipped() program { return program{catalogue.All()} }
