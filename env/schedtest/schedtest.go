// Package schedtest is the rig that tests and benchmarks of environments over the simulator share:
// runs of a policy and episodes of an actor as records that can be compared, and the cost of a step
// beside the simulator's alone.
package schedtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim"
)

// Identity asks an environment whether the rewards of an episode are what they stand for; it is an
// envtest.Config's.
func Identity(e env.Env, sum env.Episode) error {
	c, ok := env.Find[*schedenv.Env](e)
	if !ok {
		return errors.New("no environment over the simulator inside")
	}
	return c.Identity(sum.Return)
}

// Read gives the records of the first n jobs.
func Read(e *sim.Engine, n int) []sim.Record {
	list := make([]sim.Record, n)
	for j := range list {
		list[j] = e.Record(sim.JobID(j))
	}
	return list
}

// Records gives the records of a policy's run over a window.
func Records(t testing.TB, c *schedenv.Config, window int, p sim.Policy) []sim.Record {
	t.Helper()
	e, w, err := c.Run(context.Background(), window, p)
	if err != nil {
		t.Fatal(err)
	}
	return Read(e, len(w.Jobs))
}

// Play steps through an episode, holds every observation to its space, and gives the records of all
// jobs and the number of questions.
func Play(t testing.TB, e *schedenv.Env, options string, act schedenv.Actor) ([]sim.Record, int) {
	t.Helper()
	sum, err := schedenv.Play(e, 1, options, func(obs []float64, mask []bool, action []float64) {
		if err := env.Explain(e.Spec().Observation, obs); err != nil {
			t.Fatal(err)
		}
		act(obs, mask, action)
	})
	if err != nil {
		t.Fatal(err)
	}
	return Read(e.Engine(), len(e.Workload())), sum.Steps
}

// Demonstrated plays an episode by the demonstrations of a baseline; see Play.
func Demonstrated(t testing.TB, e *schedenv.Env, options, baseline string) ([]sim.Record, int) {
	t.Helper()
	if err := e.Follow(baseline); err != nil {
		t.Fatal(err)
	}
	return Play(t, e, options, func(_ []float64, _ []bool, action []float64) {
		if err := e.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
	})
}

// Inside holds the policy that asPolicy makes of a configuration c and an actor to the records of a
// window that e has with the same actor outside of the loop, and gives them. name is of the case.
func Inside[C any](t testing.TB, name string, e *schedenv.Env, c C, window int, act schedenv.Actor,
	asPolicy func(C, schedenv.Actor) (sim.Policy, error)) []sim.Record {
	t.Helper()
	got, _ := Play(t, e, fmt.Sprint("window=", window), act)
	p, err := asPolicy(c, act)
	if err != nil {
		t.Fatal(err)
	}
	cfg := e.Config()
	if !slices.Equal(got, Records(t, &cfg, window, p)) {
		t.Errorf("%s: the records differ", name)
	}
	return got
}

// Vectors are the start of parameters and n-1 other points in their ranges.
func Vectors(of []trait.Parameter, n int) [][]float64 {
	out := make([][]float64, n)
	for k := range out {
		for i, p := range of {
			off := float64((7*k+i*i)%11)/5 - 1 // -1 .. 1
			out[k] = append(out[k], min(p.Hi, max(p.Lo, p.Start+float64(p.Sigma*float64(k)*off))))
		}
	}
	return out
}

// Busy are the options of the benchmarks: one window of 512 GPUs.
const Busy = "cluster=16x4x8,windows=1,warm=0,horizon=480,load=0.9"

// BenchmarkStep times whole episodes with the same action each time, without their resets.
func BenchmarkStep(b *testing.B, e *schedenv.Env, action []float64) {
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

// BenchmarkBare times the simulator alone over window 0 under a variant of Dally.
func BenchmarkBare(b *testing.B, c *schedenv.Config, d dally.Config) {
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
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: c.Topology, Speed: speed},
			dally.NewPolicy(d, nil))
		if err != nil {
			b.Fatal(err)
		}
		events += e.Events()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
}
