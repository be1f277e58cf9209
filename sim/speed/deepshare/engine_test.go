package deepshare

import (
	"context"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// across starts job i on GPU i of each of the first machines, as many as it asks for.
type across struct{ perMachine int }

func (across) Knows() know.Set { return 0 }

func (a across) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		if e.Kind == sim.Arrive {
			d := sim.Decision{Kind: sim.Start, Job: e.Job}
			for m := range v.Job(e.Job).GPUs() {
				d.GPUs = append(d.GPUs, cluster.GPU(m*a.perMachine+int(e.Job)))
			}
			out = append(out, d)
		}
	}
	return out
}

type ends []sim.Time

func (e ends) Interval(*sim.Interval) {}
func (e ends) Job(r *sim.Record)      { e[r.Job] = r.End }
func (e ends) Instant(*sim.Gauge)     {}

func run(t *testing.T, opt Options, jobs ...sim.Job) ends {
	t.Helper()
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := lab(t, opt)
	audit, out := simtest.NewAudit(w, top), make(ends, len(jobs))
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true}, across{4},
		audit, out)
	if err == nil {
		err = audit.Close(e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Job 0 of model A does 10 samples per second alone and 35 % of it beside job 1 of model B from 100
// s on, which does 51 of 100. B ends its 5100 samples at 200 s; then A recovers, or, sticky, does
// not.
func TestTwoJobsByHand(t *testing.T) {
	a := sim.Job{ID: "a", GPUs: 2, Model: "A", Work: 3000 * sim.Second, IterS: 1}
	b := sim.Job{ID: "b", GPUs: 2, Model: "B", Work: 5100 * sim.Second, IterS: 1, Submit: 100 * sim.Second}
	// A has 2000 samples left at 100 s, does 350 by 200 s, and then 1650 at 10 or 3.5 per second
	if got := run(t, Options{}, a, b); got[0] != 365*sim.Second || got[1] != 200*sim.Second {
		t.Errorf("ends at %v, expected 365 s and 200 s", got)
	}
	sticky := run(t, Options{Sticky: true}, a, b)
	if want := 200*sim.Second + sim.Seconds(1650/3.5); sticky[0] < want || sticky[0] > want+1 ||
		sticky[1] != 200*sim.Second {
		t.Errorf("sticky ends at %v, expected %v and 200 s", sticky, want)
	}
}

// foresees asks about each job before across starts it.
type foresees struct {
	across
	rates []float64
}

func (*foresees) Knows() know.Set { return know.Speed }

func (f *foresees) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = f.across.Decide(v, out)
	for i := range out {
		f.rates = append(f.rates, v.Predict(out[i].Job, sim.Placement{GPUs: out[i].GPUs, Fresh: true}).Rate,
			v.Predict(out[i].Job, sim.Placement{GPUs: out[i].GPUs, Idle: true}).Rate)
	}
	return out
}

// Links are shared before a start as after it: job 1, which does 51 of 100 beside job 0, is
// predicted so.
func TestPredictionsShareLinks(t *testing.T) {
	a := sim.Job{ID: "a", GPUs: 2, Model: "A", Work: 3000 * sim.Second, IterS: 1}
	b := sim.Job{ID: "b", GPUs: 2, Model: "B", Work: 5100 * sim.Second, IterS: 1, Submit: 100 * sim.Second}
	w, err := sim.NewWorkload("w", []sim.Job{a, b})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	p := &foresees{across: across{4}}
	cfg := sim.Config{Workload: w, Topology: top, Speed: lab(t, Options{}), Check: true}
	if _, err := sim.Run(context.Background(), cfg, p); err != nil {
		t.Fatal(err)
	}
	if r := p.rates; len(r) != 4 || r[0] != r[1] || math.Abs(r[2]-0.51*r[3]) > 1e-12 || r[3] == 0 {
		t.Errorf("rates %v, expected two alike, and 0.51 of the last before it", r)
	}
}
