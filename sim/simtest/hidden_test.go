package simtest

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// cheat starts the shortest job first and declares nothing: it has the work from the
// workload, past View.
type cheat struct {
	order
	w *sim.Workload
}

func (c *cheat) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	c.q.Follow(v, func(_ *sim.View, j sim.JobID) float64 { return float64(c.w.Jobs[j].Work) }, nil)
	return plan.Fill(v, &c.q, c.p, nil, out)
}

// wink is an honest order with a lease that reveals the job's end: no other decision differs.
type wink struct {
	order
	w *sim.Workload
}

func (c *wink) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = c.order.Decide(v, out)
	for i := range out {
		out[i].Lease = c.w.Jobs[out[i].Job].Work
	}
	return out
}

// asks is a policy that reads what it did not declare, through View.
type asks struct{ order }

func (a *asks) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	a.q.Follow(v, func(v *sim.View, j sim.JobID) float64 {
		// not NaN
		if x := v.Job(j).Work() + v.Run(j).Left() + float64(v.Job(j).Iterations()) + v.Job(j).IterS() +
			float64(v.Job(j).Public().Work); x == x {
			return x
		}
		return 0
	}, nil)
	return plan.Fill(v, &a.q, a.p, nil, out)
}

// How often each of these policies is found in so many cases.
func foundIn(t *testing.T, cases uint64, fresh func(*sim.Workload) sim.Policy) int {
	t.Helper()
	found := 0
	for seed := range cases {
		what, err := Foresees(fresh, seed, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if what != "" {
			if !strings.Contains(what, "first:\nat ") {
				t.Errorf("seed %d: the difference is %s", seed, what)
			}
			found++
		}
	}
	return found
}

// A policy that reads the work past View is found, be it in its order or in a number of a decision;
// one that reads nothing is not, nor one that asks View without permission.
func TestForesees(t *testing.T) {
	own := func() order { return order{p: plan.NewPlacer(cluster.BestFit)} }
	for name, c := range map[string]struct {
		fresh func(*sim.Workload) sim.Policy
		least int
		most  int
	}{
		"cheat":  {func(w *sim.Workload) sim.Policy { return &cheat{own(), w} }, 10, 60},
		"wink":   {func(w *sim.Workload) sim.Policy { return &wink{own(), w} }, 50, 60},
		"honest": {func(*sim.Workload) sim.Policy { return newOrder() }, 0, 0},
		"asks":   {func(*sim.Workload) sim.Policy { return &asks{own()} }, 0, 0},
	} {
		if n := foundIn(t, 60, c.fresh); n < c.least || n > c.most {
			t.Errorf("%s is found in %d of 60 cases, expected %d to %d", name, n, c.least, c.most)
		}
	}
}
