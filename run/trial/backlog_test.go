package trial

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
)

// queue draws n jobs of one GPU with exponential gaps of a mean of 100 s and exponential run times
// of a mean of 100 rho s.
func queue(t *testing.T, n int, rho float64, seed uint64) *sim.Workload {
	s := rng.Source{Seed: seed, Experiment: "backlog"}.Stream("jobs")
	jobs, at := make([]sim.Job, n), 0.0
	for i := range jobs {
		at += 100 * s.ExpFloat64()
		jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(at), GPUs: 1,
			Work: max(1, sim.Seconds(100*rho*s.ExpFloat64()))}
	}
	return workload(t, jobs...)
}

// TestOverload: M/M/1 and M/M/8 queues that are stable are not called overloaded, others are,
// whatever the seed.
func TestOverload(t *testing.T) {
	for _, c := range []struct {
		rho      float64
		gpus     int
		overload bool
	}{{0.7, 1, false}, {0.8, 1, false}, {1.2, 1, true}, {0.7, 8, false}, {0.8, 8, false}, {1.2, 8, true}} {
		for seed := range uint64(8) {
			tr := newTrial(queue(t, 2000, c.rho*float64(c.gpus), seed), topology(t, 1, 1, c.gpus), 0)
			tr.Speed = func() (sim.SpeedModel, error) { return ideal{}, nil }
			out, err := Run(context.Background(), []Trial{tr}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := out[0].Row.OverloadGPUs; (got > 0) != c.overload {
				t.Errorf("rho %v on %d GPUs, seed %d: %v GPUs asked for beyond the cluster's, expected overload %v",
					c.rho, c.gpus, seed, got, c.overload)
			}
		}
	}
}

// By hand: a job of one GPU every 10 s that takes 20 s on one GPU. Arrival i finds i-floor(i/2)-1
// jobs more than the GPU takes. The last eighth of the second half of 160 arrivals, 150 to 159,
// finds 74, 75, 75, 76, 76, 77, 77, 78, 78 and 79: 76.5 in the mean.
func TestOverloadByHand(t *testing.T) {
	for _, c := range []struct {
		jobs int
		gap  sim.Time
		want float64
	}{{160, 10, 76.5}, {160, 25, 0}, {99, 10, 0}, {160, 0, 0}} {
		jobs := make([]sim.Job, c.jobs)
		for i := range jobs {
			jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(i) * c.gap * sim.Second, GPUs: 1, Work: 20 *
				sim.Second}
		}
		tr := newTrial(workload(t, jobs...), topology(t, 1, 1, 1), 0)
		tr.Speed = func() (sim.SpeedModel, error) { return ideal{}, nil }
		out, err := Run(context.Background(), []Trial{tr}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].Row.OverloadGPUs; got != c.want {
			t.Errorf("%d jobs every %v s: %v, expected %v", c.jobs, int64(c.gap), got, c.want)
		}
	}
}

// What is kept is bounded, and states the same.
func TestOverloadOfMany(t *testing.T) {
	b := newBacklog(1)
	j := sim.Job{GPUs: 1}
	for i := range 1_000_000 {
		j.Submit = sim.Time(i)
		if b.arrive(&j); i%2 == 1 {
			b.leave(&j)
		}
	}
	if len(b.met) > backlogMost || b.grown() < 470_000 || b.grown() > 500_000 {
		t.Errorf("%d kept, %v GPUs; expected at most %d, and near 484 000", len(b.met), b.grown(), backlogMost)
	}
}
