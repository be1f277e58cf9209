package delaytimer

import (
	"context"
	"testing"

	"tarry/baselines/dally"
	"tarry/sim"
)

const busy = "cluster=16x4x8,windows=1,warm=0,horizon=480,load=0.9"

// BenchmarkStep is a whole episode stepped from outside, BenchmarkBare the simulator alone with the
// same timers, and so the same events. Both tell the time per event.
func BenchmarkStep(b *testing.B) {
	c := config(b, busy)
	c.Horizon = 0
	e, err := New(c, "")
	if err != nil {
		b.Fatal(err)
	}
	action := make([]float64, 2*Classes)
	constant(6, 12)(nil, nil, action)
	seed := uint64(1)
	b.ReportAllocs()
	events, steps := int64(0), 0
	for b.Loop() {
		b.StopTimer()
		if _, _, err := e.Reset(&seed, ""); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for done := false; !done; steps++ {
			s, err := e.Step(action)
			if err != nil {
				b.Fatal(err)
			}
			done = s.Done()
		}
		events += e.Engine().Events()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(events)/float64(steps), "events/step")
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

func BenchmarkBare(b *testing.B) {
	c := config(b, busy)
	manual := c.Dally
	manual.Auto = false
	w, err := c.Source.Window(c.Part, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	events := int64(0)
	for b.Loop() {
		speed, err := c.Speed()
		if err != nil {
			b.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: c.Topology, Speed: speed}, dally.NewPolicy(manual, nil))
		if err != nil {
			b.Fatal(err)
		}
		events += e.Events()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
}
