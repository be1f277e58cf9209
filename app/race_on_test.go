//go:build race

package app

// raceFlags builds the command as the tests were built: races are in the command, not in its tests.
func raceFlags() []string { return []string{"-race"} }
