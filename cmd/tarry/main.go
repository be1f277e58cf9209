// Command tarry compares schedulers for distributed deep-learning training in a simulated
// GPU cluster, and trains them. See "tarry --help" and package app.
package main

import (
	"tarry/app"
	"tarry/catalogue"
)

func main() { app.Main(catalogue.All()) }
