package contest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// told writes down what a policy decides.
type told struct {
	*Policy
	short   bool // the lone holder of a lease that ends renews without a contest
	renewed int
	tape    []string
}

func (d *told) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if d.inited {
		d.simple = d.short
		if d.alone(v) != sim.NoJob {
			d.renewed++
		}
	}
	out = d.Policy.Decide(v, out)
	for _, x := range out {
		d.tape = append(d.tape, fmt.Sprint(v.Now(), x.Kind, x.Job, x.GPUs, x.Lease, x.At))
	}
	return out
}

// A holder that is alone renews as the contest lets it, with checkpoints that take time and without.
func TestAloneIsAContest(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(2, 3, 8, 2))
	if err != nil {
		t.Fatal(err)
	}
	renewed := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		jobs := make([]sim.Job, 60)
		for i := range jobs {
			g := int32(1 + r.IntN(12))
			jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Time(r.IntN(2000)) * sim.Second,
				Work: sim.Time(g) * sim.Time(1+r.IntN(900)) * sim.Second}
		}
		w, err := sim.NewWorkload("drawn", jobs)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Config{LeaseS: 60, Order: Orders()[r.IntN(2)], Keep: r.IntN(2) == 0, TiesBySubmit: r.IntN(2) == 0,
			ByEvents: r.IntN(4) == 0, Rule: cluster.Rule(r.IntN(2))}
		var costs sim.Costs
		if r.IntN(2) == 0 {
			costs.Checkpoint.FixedS = 7
		}
		run := func(short bool) *told {
			d := &told{Policy: New(cfg, NewFixed(2, 4, 60)), short: short}
			if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top,
				Speed: simtest.Counting{}, Costs: costs}, d); err != nil {
				t.Fatal(err)
			}
			return d
		}
		a, b := run(true), run(false)
		if !slices.Equal(a.tape, b.tape) {
			t.Fatalf("seed %d: the decisions are others than those of the contest", seed)
		}
		renewed += a.renewed
	}
	if renewed < 8000 {
		t.Errorf("%d renewals without a contest, expected more than 8000", renewed)
	}
}
