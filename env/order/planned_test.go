package order

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/cluster"
)

// A vector with a planner is the policy of its text file with the same planner, and another one than
// without.
func TestPlannedVectorIsThePolicyOfItsText(t *testing.T) {
	const plans = "rollout=4,samples=2,epoch=1,errors=0"
	c := config(t, small+","+plans)
	e := made(t, c)
	params := vectors(e)[2]
	path := filepath.Join(t.TempDir(), "w.txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Export(f, params), f.Close()); err != nil {
		t.Fatal(err)
	}
	records := func(p sim.Policy, err error) []sim.Record {
		if err != nil {
			t.Fatal(err)
		}
		return schedtest.Records(t, &c.Config, 1, p)
	}
	parsed := func(spec string) (sim.Policy, error) {
		_, fresh, err := policies.All().Parse(spec, cluster.BestFit)
		if err != nil {
			return nil, err
		}
		return fresh()
	}
	got, want := records(e.AsParametric(params)), records(parsed("ranked:weights="+path+","+plans))
	if !slices.Equal(got, want) {
		t.Error("the vector and the policy of its text have other records with a planner")
	}
	if slices.Equal(got, records(parsed("ranked:weights="+path))) {
		t.Error("the planner changes nothing")
	}
	if again := records(e.AsParametric(params)); !slices.Equal(got, again) {
		t.Error("a second policy draws otherwise")
	}
	// a search plays without it
	with, err := e.Play(context.Background(), params, schedenv.Train, 1)
	if err != nil {
		t.Fatal(err)
	}
	without, err := made(t, config(t, small)).Play(context.Background(), params, schedenv.Train, 1)
	if err != nil || with.Cost != without.Cost {
		t.Errorf("a search has the cost %v with a planner, %v without (%v)", with.Cost, without.Cost, err)
	}
}

// An agent that answers question by question has no planner, and neither has Dally's warm-up: both
// are errors that state it.
func TestPlannerOfOtherAgents(t *testing.T) {
	c := config(t, small+",rollout=4")
	w, err := c.Source.Window(schedenv.Test, 0)
	if err != nil {
		t.Fatal(err)
	}
	model, err := c.Speed()
	if err != nil {
		t.Fatal(err)
	}
	_, err = sim.Run(context.Background(), sim.Config{Workload: w, Topology: c.Topology, Speed: model},
		made(t, c).AsPolicy(wild))
	if err == nil || !strings.Contains(err.Error(), "expected one that is a vector of weights") {
		t.Errorf("error %v", err)
	}
	if _, err := New(config(t, small+",rollout=4,warmup=base"), ""); err == nil ||
		!strings.Contains(err.Error(), "expected warmup=agent") {
		t.Errorf("error %v", err)
	}
}
