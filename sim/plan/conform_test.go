package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// rebuilding is a policy that is nothing but a Rebuild: fewest GPUs first, preemptive.
type rebuilding struct {
	b plan.Rebuild
	q plan.Queue
	p *plan.Placer
}

func narrow(v *sim.View, j sim.JobID) float64 { return v.Job(j).Width() }

func (r *rebuilding) Knows() know.Set { return know.Nothing }
func (r *rebuilding) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r.q.Follow(v, narrow, nil)
	return r.b.Decide(v, &r.q, r.p, true, out)
}
func (r *rebuilding) Clone() sim.Policy { return &rebuilding{r.b.Clone(), r.q.Clone(), r.p.Clone()} }

// listing is a policy that is nothing but a Roster.
type listing struct {
	r plan.Roster
	p *plan.Placer
}

func (r *listing) Knows() know.Set { return know.Nothing }
func (r *listing) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r.r.Follow(v)
	return r.r.Decide(v, r.p, out)
}
func (r *listing) Clone() sim.Policy { return &listing{r.r.Clone(), r.p.Clone()} }

// The planners alone keep what every policy must keep: hundreds of drawn cases with sharing, types,
// hosts, faults and costs, each run twice, audited, and resumed from the middle with a copy.
func TestPlannersConform(t *testing.T) {
	t.Run("rebuild", func(t *testing.T) {
		simtest.Policy(t, func() sim.Policy {
			return &rebuilding{b: plan.Rebuild{Key: narrow}, p: plan.NewPlacer(cluster.BestFit)}
		}, simtest.Options{Seeds: 120, Laws: simtest.NullJob})
	})
	// WaitingFirst takes turns for ever
	for _, ties := range []plan.Ties{plan.ByArrival, plan.InPlace, plan.RunningFirst} {
		t.Run(fmt.Sprintf("roster %d", ties), func(t *testing.T) {
			simtest.Policy(t, func() sim.Policy {
				return &listing{plan.Roster{Key: narrow, Ties: ties,
					Penalty: func(*sim.View, *plan.Demand) sim.Time { return sim.Second / 2 }},
					plan.NewPlacer(cluster.FirstFound)}
			}, simtest.Options{Seeds: 60, Without: simtest.Sharing | simtest.Types | simtest.Hosts, Allocates: true})
		})
	}
}

// A type that fails as a whole is missed, and found again when it is repaired.
func TestCapacityOfTypesAfterARepair(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Slots: 1, Type: "a"},
		{Count: 1, GPUs: 2, Slots: 1, Type: "b"}}}}
	cfg := sim.Config{Outages: outage.Schedule{{At: sim.Second, Machine: 0, GPU: -1},
		{At: 3 * sim.Second, Machine: 0, GPU: -1, Up: true}}.Source()}
	typed := func(g int32, typ string) sim.Job { return sim.Job{GPUs: g, GPUType: typ} }
	s := set(t, cfg, spec, typed(2, "a"), typed(2, "b"), typed(1, "a"))
	r := &rebuilding{b: plan.Rebuild{Key: narrow}, p: plan.NewPlacer(cluster.BestFit)}
	var got []string
	for s.v.Now() <= 3*sim.Second {
		ds := r.Decide(s.v, nil)
		got = append(got, fmt.Sprintf("%v: %s", s.v.Now(), words(ds)))
		s.do(ds...)
	}
	// Job 2 asks for least, so of type "a" only one is left for job 0, which needs two.
	want := "0s: start 2 on [0], start 1 on [2 3]|1s: |2s: |3s: start 2 on [0]"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "|"), want)
	}
}

// The setting penalty is one number, or one for a job that a machine can hold and one for a larger
// one.
func TestPenaltySetting(t *testing.T) {
	s := set(t, sim.Config{}, cluster.Uniform(1, 2, 4, 1), sim.Job{GPUs: 1})
	for text, want := range map[string]string{"": "none", "penalty=0": "none", "penalty=0/0": "none",
		"penalty=40": "40s 40s 40s", "penalty=40/60": "40s 40s 60s", "penalty=0/1.5": "0s 0s 1.5s"} {
		set := param.Parse("test", text)
		f := plan.Penalty(set)
		got := "none"
		if f != nil {
			got = fmt.Sprint(f(s.v, &plan.Demand{GPUs: 1}), " ", f(s.v, &plan.Demand{GPUs: 4}), " ",
				f(s.v, &plan.Demand{GPUs: 5}))
		}
		if err := set.Err(); err != nil || got != want {
			t.Errorf("%q: %s (error %v), expected %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"penalty=1/2/3": "penalty names 3 numbers, expected one, or two " +
		"separated by '/'", "penalty=-1": "penalty is", "penalty=2e9": "penalty is"} {
		set := param.Parse("test", text)
		plan.Penalty(set)
		if err := set.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
}
