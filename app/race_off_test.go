//go:build !race

package app

func raceFlags() []string { return nil }
