package rollout_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/ranked"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

func fresh(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return ranked.NewPolicy(dally.Tuned)(s, rule)
}

// The planner keeps the kernel's rules, its clone decides as it does, and the same draws give the
// same run.
func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40, Allocates: true}
	settings := []string{
		"rollout=4,samples=2,lease=20,median_s=5,spread=1,min_run=0.1,epoch=0.1,draw_spread=0.7",
		"rollout=3,samples=2,instants=300,lease=20,epoch=0,median_s=5,spread=1,preempt=false,margin=inf",
		"rollout=4,samples=3,errors=2,lease=20,median_s=5,spread=1,epoch=2,arrivals=2,predicted=true",
		"rollout=4,lease=20,epoch=0.1,exact=true",
		"rollout=4,lease=20,epoch=0.1,backfill=request,exact=true"}
	simtest.Conform(t, "ranked", fresh, o.Settings(settings...))
	// shorter than some changes take
	o.Without, o.Seeds = simtest.Costs, 20
	simtest.Conform(t, "ranked", fresh, o.Settings(strings.ReplaceAll(settings[0], "lease=20", "lease=6"),
		strings.ReplaceAll(settings[3], "lease=20", "lease=6")))
}

// batch draws jobs that are there from the start, on two racks of machines with four GPUs.
func batch(t *testing.T, seed uint64) sim.Config {
	t.Helper()
	r := rng.Source{Seed: seed}.Stream("batch")
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 4}}, {{Count: 2, GPUs: 4}}}})
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for k := range 12 + r.IntN(20) {
		n := int32(1 + r.IntN(8))
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(k), GPUs: n,
			Work: sim.Time(n) * sim.Seconds(1+300*r.Float64()*r.Float64()*r.Float64())})
	}
	w, err := sim.NewWorkload("batch", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: spread{top},
		Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 2}, Restore: sim.Cost{FixedS: 1}}}
}

// spread slows jobs on several machines or racks.
type spread struct{ top *cluster.Topology }

func (s spread) Speed(q *sim.Query) (sim.Speed, error) {
	slow := 1 + 0.4*float64(max(0, s.top.LevelOf(q.GPUs)-cluster.LevelMachine))
	return sim.Speed{Rate: float64(len(q.GPUs)) / slow, ComputeFrac: 1 / slow}, nil
}

// total runs a policy of ranked and gives the exact sum of the completion times.
func total(t *testing.T, cfg sim.Config, text string) uint64 {
	t.Helper()
	e, err := sim.Run(context.Background(), cfg, simtest.Build(t, "ranked", fresh, text)())
	if err != nil {
		t.Fatal(err)
	}
	sum, _, _ := e.Areas()
	return sum[1]
}

// With the true work and without arrivals the planner is never worse than its base, and it is better
// on most batches.
func TestNeverWorseOnABatch(t *testing.T) {
	for _, base := range []string{
		"lease=60,median_s=60,spread=1", "lease=40,features=rank:0,ties=submit,margin=inf,preempt=false",
		"lease=30,features=gpus:1+age:-1,margin=0.2,t_rack=1,t_net=2,median_s=60"} {
		t.Run(base, func(t *testing.T) {
			base += ",exact=true"
			better, gain := 0, 0.0
			batches := effort.Of(t, 8, 30)
			for seed := range uint64(batches) {
				cfg := batch(t, seed)
				was, now := total(t, cfg, base), total(t, cfg, base+",rollout=8,epoch=0.5")
				if now > was {
					t.Errorf("batch %d: the sum of completion times is %d with the planner, %d without", seed, now, was)
				}
				if now < was {
					better++
				}
				gain += 1 - float64(now)/float64(was)
			}
			t.Logf("better on %d of %d, %.1f %% in the mean", better, batches, 100*gain/float64(batches))
			if better < batches/2 {
				t.Errorf("better on %d of %d batches only: the planner has no effect", better, batches)
			}
		})
	}
}

// probe plays a run to its end at every fifth decision, with what a contest states of its end and
// without.
type probe struct {
	sim.Policy
	t           *testing.T
	model       sim.Engine
	n           int
	with, whole int // decisions that were played
}

func (p *probe) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.n++; p.n%5 == 0 {
		var sums [2]float64
		for i, took := range []*int{&p.with, &p.whole} {
			if err := p.model.Follow(v, func(j sim.JobID) sim.Time { return sim.Time(v.Job(j).Work()) }); err != nil {
				p.t.Fatal(err)
			}
			of := p.Policy.(interface{ Clone() sim.Policy }).Clone()
			if i == 1 {
				of = struct{ sim.Policy }{of}
			}
			sum, n, err := p.model.PlayOut(of, 1e6)
			if sums[i], *took = sum, *took+n; err != nil {
				p.t.Fatal(err)
			}
		}
		if math.Abs(sums[0]-sums[1]) > 1000 { // a renewal may round by a microsecond
			p.t.Errorf("at %v the sum is %v where the end is foreseen, %v where it is played", v.Now(), sums[0], sums[1])
		}
	}
	return p.Policy.Decide(v, out)
}

func (p *probe) Knows() know.Set { return know.Work | know.Done | know.Speed }

// What is left when all jobs run where no place is tighter is known without playing it.
func TestSettledEndIsThePlayedEnd(t *testing.T) {
	for seed := range uint64(2) {
		p := &probe{Policy: simtest.Build(t, "ranked", fresh, "lease=20,t_rack=1,t_net=2,median_s=60,exact=true")(), t: t}
		if _, err := sim.Run(context.Background(), batch(t, seed), p); err != nil {
			t.Fatal(err)
		}
		t.Logf("batch %d: %d decisions played, %d without what is foreseen", seed, p.with, p.whole)
		if p.with*4 > p.whole*3 {
			t.Errorf("%d decisions were played, expected less than three quarters of %d", p.with, p.whole)
		}
	}
}

// The draws and the errors that are asked for change what is decided; a bound on instants that no
// play keeps leaves the base as it is.
func TestBoundAndErrors(t *testing.T) {
	const base = "lease=60,median_s=60,spread=1"
	redrawn, surer := false, false
	for seed := range uint64(2) {
		cfg := batch(t, seed)
		was := total(t, cfg, base)
		if now := total(t, cfg, base+",rollout=8,epoch=0.5,instants=1"); now != was {
			t.Errorf("batch %d: %d with a bound of one instant, expected %d as without a planner", seed, now, was)
		}
		one := total(t, cfg, base+",rollout=4,samples=3")
		redrawn = redrawn || total(t, cfg, base+",rollout=4,samples=3,draws=2") != one
		surer = surer || total(t, cfg, base+",rollout=4,samples=3,errors=5") != one
	}
	if !redrawn || !surer {
		t.Errorf("other draws have an effect: %v, more errors: %v; expected both", redrawn, surer)
	}
}

// The cost of a comparison is counted, and never above its bound.
func TestCostIsCountedAndBounded(t *testing.T) {
	for _, bound := range []int64{1, 50, 20000} {
		p := simtest.Build(t, "ranked", fresh, fmt.Sprintf("lease=60,median_s=60,rollout=4,instants=%d", bound))()
		if _, err := sim.Run(context.Background(), batch(t, 1), p); err != nil {
			t.Fatal(err)
		}
		plans, instants := p.(interface{ Planned() (int64, int64) }).Planned()
		if plans < 10 || instants < plans || instants > plans*bound {
			t.Errorf("%d comparisons played %d instants, expected 1 to %d each", plans, instants, bound)
		}
	}
}

// together is a coupled model.
type together struct{ spread }

func (together) Place(*sim.Query) error              { return nil }
func (together) Remove(sim.JobID)                    {}
func (together) Touched(dst []sim.JobID) []sim.JobID { return dst }
func (together) Reset()                              {}

// Speeds that a model cannot foresee are an error of the run that states why.
func TestCoupledSpeedsAreRefused(t *testing.T) {
	cfg := batch(t, 1)
	cfg.Speed = together{cfg.Speed.(spread)}
	_, err := sim.Run(context.Background(), cfg, simtest.Build(t, "ranked", fresh, "lease=60,rollout=4")())
	if err == nil || !strings.Contains(err.Error(), "rollout") || !strings.Contains(err.Error(), "who else runs") {
		t.Errorf("the error is %v, expected one of rollout about who else runs", err)
	}
}
