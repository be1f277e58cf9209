package stack_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// shifts is a layer under which every other spell of so long has half the speed.
type shifts sim.Time

func (l shifts) Answer(q *sim.Query, s *sim.Speed) float64 {
	if q.Now/sim.Time(l)%2 == 0 {
		return 1
	}
	s.Rate /= 2
	return 0.5
}

func (l shifts) Until(q *sim.Query) sim.Time { return (q.Now/sim.Time(l) + 1) * sim.Time(l) }

// halfWork is the work done until t by a rate of 1 that halves in every other spell.
func halfWork(from, t, spell float64) float64 {
	all := func(t float64) float64 {
		n := math.Floor(t / (2 * spell))
		in := t - n*2*spell
		return n*1.5*spell + min(in, spell) + max(0, in-spell)/2
	}
	return all(t) - all(from)
}

// A job's work adds up over the spells that it runs in, whatever starts it late, other layers over
// and under the clock, links, and a grid of marks.
func TestClock(t *testing.T) {
	const spell = 100 * sim.Second
	for name, c := range map[string]struct {
		model func() sim.SpeedModel
		scale float64
		costs sim.Costs
		grid  sim.Time
	}{
		"alone": {func() sim.SpeedModel { return stack.New(simtest.Counting{}, shifts(spell)) }, 1, sim.Costs{},
			0},
		"with costs": {func() sim.SpeedModel { return stack.New(simtest.Counting{}, shifts(spell)) }, 1,
			sim.Costs{Start: sim.Cost{FixedS: 40}}, 0},
		"on a grid": {func() sim.SpeedModel { return stack.New(simtest.Counting{}, shifts(spell)) }, 1, sim.Costs{},
			7 * sim.Second},
		"in between": {func() sim.SpeedModel {
			return stack.New(simtest.Counting{}, halver{}, shifts(spell), halver{})
		}, 0.25, sim.Costs{}, 0},
	} {
		var jobs []sim.Job
		for i := range 12 {
			jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 1 + int32(i%3), Submit: sim.Time(i*37) * sim.Second,
				Work: sim.Time(1+i%3) * sim.Time(50+i*61) * sim.Second})
		}
		w, err := sim.NewWorkload("w", jobs)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(1, 4, 8, 1))
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: c.model(), Costs: c.costs,
			MarkEvery: c.grid, Check: true}, rival(t, "fifo"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range w.Jobs {
			r := e.Record(sim.JobID(i))
			from, to := r.Start.Seconds()+c.costs.Start.FixedS, r.End.Seconds()
			got := c.scale * float64(w.Jobs[i].GPUs) * halfWork(from, to, spell.Seconds())
			// half a step at each mark
			room := 1e-4 + c.grid.Seconds()/2*float64(w.Jobs[i].GPUs)*(1+(to-from)/spell.Seconds())
			if want := w.Jobs[i].Work.Seconds(); math.Abs(got-want) > room {
				t.Errorf("%s: job %d works from %v to %v s: %v, expected %v", name, i, from, to, got, want)
			}
		}
	}
}

// halver halves speeds.
type halver struct{}

func (halver) Answer(_ *sim.Query, s *sim.Speed) float64 {
	s.Rate /= 2
	return 0.5
}

// A clock whose time never comes has no marks, nor has one of a job that stands still.
func TestClockWithoutMarks(t *testing.T) {
	q := on(2, 0)
	q.Now = 7
	if m := sim.AsProgressive(stack.New(echo{}, still{})).Mark(q); !math.IsInf(m, 1) {
		t.Errorf("mark %v of a time that never comes", m)
	}
	if m := sim.AsProgressive(stack.New(echo{}, shifts(10))).Mark(on(0, 0)); !math.IsInf(m, 1) {
		t.Errorf("mark %v of a job that stands still", m)
	}
	p := sim.AsProgressive(stack.New(echo{}, shifts(10)))
	if m := p.Mark(q); m != 6 || p.Batches(q.Job) != (sim.BatchLimits{}) {
		t.Errorf("mark %v, batches %+v; expected 6 after 3 us at a rate of 2, and none", m, p.Batches(q.Job))
	}
}

// still is a layer whose time never comes.
type still struct{ idle }

func (still) Until(*sim.Query) sim.Time { return sim.Never }
