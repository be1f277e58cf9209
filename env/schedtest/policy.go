package schedtest

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
)

// Policy makes the scheduler that NAME:key=value,... names in a catalogue, with best
// fit.
func Policy(t testing.TB, from entry.Policies, spec string) sim.Policy {
	t.Helper()
	_, fresh, err := from.Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	p, err := fresh()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
