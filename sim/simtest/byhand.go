package simtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/power"
	"tarry/sim/tenant"
)

// Tape is an observer that writes down every allocation: job on GPUs start-end reason.
type Tape struct{ Lines []string }

// Interval writes a line.
func (t *Tape) Interval(i *sim.Interval) {
	t.Lines = append(t.Lines, fmt.Sprintf("%d on %v %v-%v %v", i.Job, i.GPUs, i.Start, i.End, i.Reason))
}

// Job and Instant write nothing.
func (t *Tape) Job(*sim.Record) {}

// Instant writes nothing.
func (t *Tape) Instant(*sim.Gauge) {}

// ByHand is a case worked out by hand: jobs on racks x machines x GPUs at counting speeds.
type ByHand struct {
	// Shape is racks, machines per rack, GPUs per machine.
	Shape   [3]int
	Outages outage.Schedule
	// Costs of changes; the zero value makes them free.
	Costs sim.Costs
	// History, Tenants and Power are as in sim.Config.
	History []sim.Time
	Tenants *tenant.Set
	Power   *power.Model
	// Jobs are in order of submission; their ids become their positions.
	Jobs []sim.Job
}

// Expect runs a policy on the case, with every invariant checked, and compares the tape.
func (c ByHand) Expect(t *testing.T, p sim.Policy, want ...string) {
	t.Helper()
	for i := range c.Jobs {
		c.Jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", c.Jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(c.Shape[0], c.Shape[1], c.Shape[2], 1))
	if err != nil {
		t.Fatal(err)
	}
	var got Tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: Counting{}, Outages: c.Outages.Source(), Costs: c.Costs,
		History: c.History, Tenants: c.Tenants, Power: c.Power, Check: true}
	if _, err := sim.Run(context.Background(), cfg, p, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Lines, want) {
		t.Errorf("got\n%q\nwant\n%q", got.Lines, want)
	}
}
