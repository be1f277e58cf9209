package queueing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func deadlineFirst(t testing.TB, params string) sim.Policy {
	t.Helper()
	p, err := queueing.NewDeadlineFirst(param.Parse("policy deadline-first", params), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func due(submit, run, deadline sim.Time) sim.Job {
	return sim.Job{GPUs: 1, Submit: submit * sim.Second, Work: run * sim.Second, Deadline: deadline * sim.Second}
}

// By hand, on one GPU. Job 0 (best effort) gives way to 1 (due 9), which gives way to 2 (due 5);
// then 1, and job 0 last.
func TestDeadlineFirstByHand(t *testing.T) {
	c := func() simtest.ByHand {
		return simtest.ByHand{Shape: [3]int{1, 1, 1}, Jobs: []sim.Job{due(0, 4, 0), due(1, 4, 9), due(2, 3, 5)}}
	}
	c().Expect(t, deadlineFirst(t, ""), "0 on [0] 0s-1s preempt", "1 on [0] 1s-2s preempt", "2 on [0] 2s-5s finish",
		"1 on [0] 5s-8s finish", "0 on [0] 8s-11s finish")
	c().Expect(t, deadlineFirst(t, "preempt=false"), "0 on [0] 0s-4s finish", "2 on [0] 4s-7s finish",
		"1 on [0] 7s-11s finish")
	// With admission job 2 is turned away at 4 s, as it would end at 7; job 1 then ends at 8.
	c().Expect(t, deadlineFirst(t, "preempt=false,admission=on"), "0 on [0] 0s-4s finish", "1 on [0] 4s-8s finish")
}

// For jobs that come together no order has a smaller greatest lateness on one GPU (Jackson 1955).
func TestNoOrderIsLessLate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		js := make([]sim.Job, 6)
		for i := range js {
			js[i] = due(0, sim.Time(1+r.IntN(9)), sim.Time(1+r.IntN(40)))
			js[i].ID = fmt.Sprint(i)
		}
		least := sim.Never
		permute(len(js), func(order []int) {
			at, worst := sim.Time(0), -sim.Never
			for _, i := range order {
				at += js[i].Work
				worst = max(worst, at-js[i].Deadline)
			}
			least = min(least, worst)
		})
		for _, params := range []string{"", "preempt=false"} {
			if got, _ := lateness(t, deadlineFirst(t, params), slices.Clone(js)); got != least {
				t.Fatalf("%s: %v late at most, some order has %v: %+v", params, got, least, js)
			}
		}
	}
}

// Where jobs that come one after another can all be in time on one GPU, preemptive earliest
// deadline first has them so (Horn 1974), and with admission no job is turned away; where they
// cannot, no job that is admitted and done is late.
func TestFeasibleDeadlinesAreMet(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	met, not := 0, 0
	for range 600 {
		js := make([]sim.Job, 5)
		for i := range js {
			at := sim.Time(r.IntN(12))
			run := sim.Time(1 + r.IntN(6))
			js[i] = due(at, run, at+run+sim.Time(r.IntN(16)))
			js[i].ID = fmt.Sprint(i)
		}
		late, _ := lateness(t, deadlineFirst(t, ""), slices.Clone(js))
		admitted, rejected := lateness(t, deadlineFirst(t, "admission=on"), slices.Clone(js))
		if feasible(js) {
			met++
			if late > 0 || rejected > 0 {
				t.Fatalf("late by %v, %d turned away, and all could be in time: %+v", late, rejected, js)
			}
		} else if not++; late <= 0 || rejected == 0 || admitted > 0 {
			t.Fatalf("late by %v, with admission %v and %d turned away, and not all can be in time: %+v", late,
				admitted, rejected, js)
		}
	}
	if met < 100 || not < 100 {
		t.Errorf("%d cases that can be met and %d that cannot: too few", met, not)
	}
}

// feasible is the processor demand criterion: of every interval, the jobs that come and are due in
// it fit into it.
func feasible(js []sim.Job) bool {
	for _, a := range js {
		for _, b := range js {
			work := sim.Time(0)
			for _, j := range js {
				if j.Submit >= a.Submit && j.Deadline <= b.Deadline {
					work += j.Work
				}
			}
			if work > b.Deadline-a.Submit && work > 0 {
				return false
			}
		}
	}
	return true
}

// lateness runs jobs on one GPU and gives the greatest lateness of finished jobs, and how
// many were turned away.
func lateness(t *testing.T, p sim.Policy, js []sim.Job) (worst sim.Time, rejected int) {
	t.Helper()
	w, err := sim.NewWorkload("", js)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology(t, 1, 1, 1),
		Speed: simtest.Counting{}, Check: true}, p)
	if err != nil {
		t.Fatal(err)
	}
	worst = -sim.Never
	for id := range w.Jobs {
		if r := e.Record(sim.JobID(id)); r.State == sim.Rejected {
			rejected++
		} else {
			worst = max(worst, r.End-w.Jobs[id].Deadline)
		}
	}
	return worst, rejected
}

// permute visits all orders of n numbers.
func permute(n int, visit func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var from func(k int)
	from = func(k int) {
		if k == n {
			visit(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			from(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	from(0)
}

func TestDeadlineFirstConforms(t *testing.T) {
	for _, c := range []struct {
		params string
		o      simtest.Options
	}{{"", simtest.Options{Laws: simtest.AllLaws}}, {"preempt=false", simtest.Options{Laws: simtest.AllLaws}},
		{"admission=on", simtest.Options{Laws: simtest.AllLaws}},
		{"admission=on,preempt=false", simtest.Options{Laws: simtest.AllLaws}},
		{"admission=on,place=consolidate", simtest.Options{MayStarve: true}}} {
		t.Run(c.params, func(t *testing.T) {
			simtest.Policy(t, func() sim.Policy { return deadlineFirst(t, c.params) }, c.o)
		})
	}
}
