package rollout_test

import (
	"context"
	"fmt"
	"testing"

	"tarry/baselines/queueing"
	"tarry/baselines/rollout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// fixed is a policy without a clone.
type fixed struct{}

func (fixed) Knows() know.Set                                       { return know.Nothing }
func (fixed) Decide(_ *sim.View, out []sim.Decision) []sim.Decision { return out }

// overFIFO makes a planner over fifo, or over a policy without a clone.
func overFIFO(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return rollout.NewPlanned(func(spec string, rule cluster.Rule) (sim.Policy, error) {
		switch spec {
		case "fifo":
			return queueing.NewFIFO(param.Parse("fifo", ""), rule)
		case "fixed":
			return fixed{}, nil
		}
		return nil, fmt.Errorf("no policy %q", spec)
	})(s, rule)
}

// onFour runs jobs, each GPUs, seconds and submit in seconds, on a machine of four GPUs.
func onFour(t *testing.T, text string, jobs ...[3]int64) *sim.Engine {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, 1, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	all := make([]sim.Job, len(jobs))
	for i, j := range jobs {
		all[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(j[0]), Work: sim.Time(j[0]*j[1]) * sim.Second,
			Submit: sim.Time(j[2]) * sim.Second}
	}
	w, err := sim.NewWorkload("four", all)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
	e, err := sim.Run(context.Background(), cfg, simtest.Build(t, "planned", overFIFO, text)())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const exact = "rollout=8,exact=true,epoch=0"

// The short job goes first though the long one came before it, and fifo still has the long one.
func TestPromotedJobGoesFirst(t *testing.T) {
	jobs := [][3]int64{{4, 10, 0}, {4, 100, 1}, {1, 10, 2}}
	if e := onFour(t, "rollout=0", jobs...); e.Record(1).Start != 10*sim.Second || e.Record(2).Start != 110*sim.Second {
		t.Fatalf("fifo starts jobs at %v and %v", e.Record(1).Start, e.Record(2).Start)
	}
	e := onFour(t, exact, jobs...)
	late := e.Record(2).Start - 10*sim.Second // one look of fifo for each job before it
	if late < 0 || late > 2 || e.Record(1).Start != e.Record(2).End {
		t.Errorf("jobs 1 and 2 start at %v and %v, expected 20s and 10s", e.Record(1).Start, e.Record(2).Start)
	}
}

// The long job gives its GPUs to the short one, and gets them back.
func TestEvictedJobComesBack(t *testing.T) {
	e := onFour(t, exact, [3]int64{4, 1000, 0}, [3]int64{2, 10, 1}, [3]int64{1, 7, 1})
	a, b, c := e.Record(0), e.Record(1), e.Record(2)
	if a.Preemptions != 1 || b.Start-sim.Second > 4 || c.Start-sim.Second > 4 || a.End-b.End != 999*sim.Second {
		t.Errorf("job 0 was preempted %d times and ends at %v, the others start at %v and %v", a.Preemptions, a.End,
			b.Start, c.Start)
	}
}

// A bound that no play keeps leaves fifo as it is; the cost of a comparison is counted, and never
// above its bound.
func TestPlannedCostIsBounded(t *testing.T) {
	jobs := [][3]int64{{4, 10, 0}, {4, 100, 1}, {1, 10, 2}, {2, 30, 3}}
	was, now := onFour(t, "rollout=0", jobs...), onFour(t, exact+",instants=1", jobs...)
	if now.Record(2) != was.Record(2) {
		t.Errorf("job 2 is %+v with a bound of one instant, expected %+v", now.Record(2), was.Record(2))
	}
	for _, bound := range []int64{1, 40, 20000} {
		p := simtest.Build(t, "planned", overFIFO, fmt.Sprintf("rollout=4,epoch=0.001,instants=%d", bound))()
		if _, err := sim.Run(context.Background(), batch(t, 1), p); err != nil {
			t.Fatal(err)
		}
		plans, instants := p.(interface{ Planned() (int64, int64) }).Planned()
		if plans < 5 || instants < plans || instants > plans*bound {
			t.Errorf("%d comparisons played %d instants, expected 1 to %d each", plans, instants, bound)
		}
	}
}

// A policy without a clone is refused.
func TestPlannedNeedsAClone(t *testing.T) {
	_, err := overFIFO(param.Parse("planned", "base=fixed,rollout=4"), cluster.BestFit)
	want := "planned: base is fixed: it cannot be cloned, expected a policy that can"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, expected %s", err, want)
	}
}
