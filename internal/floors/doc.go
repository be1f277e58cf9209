// Package floors keeps the walls of the module: which package may import which, and
// the limits of the layout (file and function lengths, documentation, no init, no global random
// numbers, no wall clock). It has no code of its own, only tests.
//
// Files are parsed in-process, so that the test cache sees what was read.
// A new package must be given a floor in the table of floors_test.go; an exception from
// a limit is listed by name, with its reason, in house_test.go.
package floors
