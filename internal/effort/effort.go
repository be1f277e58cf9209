// Package effort is the one switch between the two forms of a test. The normal form is short enough
// for every change; the long form has more seeds, more repetitions or the larger case, and runs
// with TARRY_LONG=1, which "make nightly" sets. Nothing else decides: a test that is shortened
// calls Of or Need, and so has its long form there.
//
// Go's own flag -short is apart: it makes the normal form smaller, for "make quick", for the race
// detector and for benchmarks that run once.
package effort

import (
	"os"
	"testing"
)

// Variable is the variable of the environment: "1" asks for the long forms, "" or "0" for the
// normal ones.
const Variable = "TARRY_LONG"

// Of returns normal or, in the long form, long: a number of cases, a length, a list.
func Of[T any](t testing.TB, normal, long T) T {
	t.Helper()
	if Long(t) {
		return long
	}
	return normal
}

// Need skips a test that has a long form only; what states why, as "trains for minutes".
func Need(t testing.TB, what string) {
	t.Helper()
	if !Long(t) {
		t.Skipf("%s; %s=1 (make nightly) runs it", what, Variable)
	}
}

// Long reports whether tests take their long form. Another value of the variable fails the test.
func Long(t testing.TB) bool {
	t.Helper()
	switch text := os.Getenv(Variable); text {
	case "", "0":
		return false
	case "1":
		return true
	default:
		t.Fatalf("%s is %q, expected 1 for the long forms of tests, or nothing", Variable, text)
		return false
	}
}
