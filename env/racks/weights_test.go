package racks_test

import (
	"slices"
	"strings"
	"testing"

	"tarry/env/racks"
	"tarry/env/schedtest"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// The shipped network as the policy is the agent that asks it, record for record, and is ahead of
// schedulers that never forward.
func TestShippedWeights(t *testing.T) {
	const path = "../../examples/weights/marl.txt"
	net, err := netfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	c := config(t, "part=test,windows=3")
	var trained, home sim.Time
	for w := range 3 {
		agent, err := racks.AsPolicy(c, func(obs []float64, mask []bool, action []float64) { net.Act(action, obs, mask) })
		if err != nil {
			t.Fatal(err)
		}
		got := schedtest.Records(t, &c.Config, w, policy(t, "weights="+path))
		if !slices.Equal(got, schedtest.Records(t, &c.Config, w, agent)) {
			t.Errorf("window %d: the policy is not the agent", w)
		}
		for j, r := range schedtest.Records(t, &c.Config, w, policy(t, "rule=home")) {
			trained, home = trained+got[j].End, home+r.End
		}
	}
	if trained >= home {
		t.Errorf("ends sum to %v, under schedulers that never forward %v", trained, home)
	}
}

// A network of another environment is one error that names the file, whatever its size.
func TestForeignWeights(t *testing.T) {
	for _, name := range []string{"decima.txt", "dl2.txt", "inspector.txt"} {
		path := "../../examples/weights/" + name
		_, err := racks.Policy(param.Parse("policy marl-like", "weights="+path), cluster.BestFit)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "of tarry/Racks-v0") {
			t.Errorf("%s: error %v, expected one that names the file and the environment", name, err)
		}
	}
}
