package baselines_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// asked counts how often a context is asked whether it has ended.
type asked struct {
	context.Context
	n int
}

func (a *asked) Err() error {
	a.n++
	return a.Context.Err()
}

// longMs is the processor time of a job, ms, from which a policy's single decisions may take
// seconds.
const longMs = 5

// A run that is cancelled ends with the decision that is being made, and a policy whose decisions
// take long asks in the middle of one.
func TestCancelledRunsEnd(t *testing.T) {
	jobs := make([]sim.Job, 300)
	for i := range jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1 << (i % 4), Work: sim.Time(60+i) * sim.Second, Model: "resnet50"}
	}
	w, err := sim.NewWorkload("crowd", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 4, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range everything() {
		_, build, err := everything().Parse(entry.Name, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}})
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(p.Knows())
		inner, cancel := context.WithCancel(context.Background())
		ctx, before, instants := &asked{Context: inner}, 0, 0
		err = e.Drive(ctx, p, func(*sim.View) (bool, error) {
			cancel()
			before = ctx.n
			instants++
			return true, nil
		})
		cancel()
		if !errors.Is(err, context.Canceled) || instants != 1 {
			t.Errorf("%s: %d decisions after the end of the context, and error %v, expected one and %v", entry.Name,
				instants, err, context.Canceled)
		}
		if inside := ctx.n - before - 1; entry.Cost.JobMs >= longMs && inside <= 0 {
			t.Errorf("%s does not ask inside a decision whether the run is cancelled", entry.Name)
		}
	}
}
