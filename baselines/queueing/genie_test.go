package queueing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/simtest"
)

func genie(t testing.TB, params string) sim.Policy {
	t.Helper()
	return simtest.Build(t, "policy genie", queueing.NewGenie, params)()
}

// By hand, on one GPU: allowances at 0 are 5, 2 and 3 s. Job 1 starts first; at 4 s they are 1 s for
// job 0 and -1 s for job 2.
func TestGenieByHand(t *testing.T) {
	c := func() simtest.ByHand {
		return simtest.ByHand{Shape: [3]int{1, 1, 1}, Jobs: []sim.Job{due(0, 3, 8), due(0, 4, 6), due(0, 2, 5), due(0, 1, 0)}}
	}
	c().Expect(t, genie(t, ""), "1 on [0] 0s-4s finish", "0 on [0] 4s-7s finish", "3 on [0] 7s-8s finish")
	c().Expect(t, genie(t, "reject=false"), "1 on [0] 0s-4s finish", "2 on [0] 4s-6s finish", "0 on [0] 6s-9s finish",
		"3 on [0] 9s-10s finish")
	c().Expect(t, genie(t, "reject=false,order=shortest"), "3 on [0] 0s-1s finish", "2 on [0] 1s-3s finish",
		"0 on [0] 3s-6s finish", "1 on [0] 6s-10s finish")
	// job 1, which comes at 1 s with an allowance of 0 s, stops job 0, whose allowance is then 4 s
	simtest.ByHand{Shape: [3]int{1, 1, 1}, Jobs: []sim.Job{due(0, 4, 8), due(1, 3, 4)}}.Expect(t, genie(t, "preempt=true"),
		"0 on [0] 0s-1s preempt", "1 on [0] 1s-4s finish", "0 on [0] 4s-7s finish")
}

// drawnDue draws gangs that come over time, some of them without a deadline.
func drawnDue(r *rand.Rand) []sim.Job {
	js := make([]sim.Job, 30)
	for i := range js {
		at, run := sim.Time(r.IntN(40)), sim.Time(1+r.IntN(9))
		if js[i] = due(at, run, at+run+sim.Time(r.IntN(20))); r.IntN(6) == 0 {
			js[i].Deadline = 0
		}
		js[i].GPUs = int32(1 + r.IntN(4))
		js[i].Work *= sim.Time(js[i].GPUs)
		js[i].ID = fmt.Sprint(i)
	}
	return js
}

// Orders that other policies have are theirs, decision for decision; with exact predictions a job that
// rejection spares ends in time, and the jobs in time are more in all than without rejection.
func TestGenieAgainstOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	top, met, open := topology(t, 1, 2, 4), 0, 0
	run := func(js []sim.Job, p sim.Policy) (rows string, inTime, late, rejected int) {
		w, err := sim.NewWorkload("", slices.Clone(js))
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
		e, err := sim.Run(context.Background(), cfg, p)
		if err != nil {
			t.Fatal(err)
		}
		for id := range w.Jobs {
			switch x := e.Record(sim.JobID(id)); {
			case x.State == sim.Rejected:
				rejected++
			case w.Jobs[id].Deadline > 0 && x.End > w.Jobs[id].Deadline:
				late++
			case w.Jobs[id].Deadline > 0:
				inTime++
			}
			rows += fmt.Sprintln(id, e.Record(sim.JobID(id)).State, e.Record(sim.JobID(id)).Start, e.Record(sim.JobID(id)).End)
		}
		return rows, inTime, late, rejected
	}
	for range 200 {
		js := drawnDue(r)
		for _, pair := range [][2]sim.Policy{
			{genie(t, "order=deadline,by=work"), deadlineFirst(t, "preempt=false,admission=on")},
			{genie(t, "order=deadline,reject=false,preempt=true"), deadlineFirst(t, "")},
			{genie(t, "order=shortest,by=work,reject=false"), simtest.Build(t, "policy", queueing.NewSJF, "")()},
			{genie(t, "order=arrival,reject=false"), simtest.Build(t, "policy", queueing.NewFitFirst, "")()},
			{genie(t, ""), genie(t, "by=work")},
		} {
			a, _, _, _ := run(js, pair[0])
			if b, _, _, _ := run(js, pair[1]); a != b {
				t.Fatalf("genie\n%s\nthe other\n%s\n%+v", a, b, js)
			}
		}
		_, with, late, rejected := run(js, genie(t, ""))
		if late > 0 {
			t.Fatalf("%d late, %d rejected, expected none late: %+v", late, rejected, js)
		}
		_, without, _, none := run(js, genie(t, "reject=false"))
		if none > 0 {
			t.Fatalf("%d rejected by reject=false", none)
		}
		met, open = met+with, open+without
	}
	if met <= open {
		t.Errorf("%d in time with rejection, %d without", met, open)
	}
}

func TestGenieConforms(t *testing.T) {
	all := simtest.Options{Laws: simtest.AllLaws}
	simtest.Conform(t, "policy genie", queueing.NewGenie, append(all.Settings("", "reject=false,order=shortest",
		"by=work,preempt=true", "preempt=true,reject=false"),
		simtest.Options{MayStarve: true}.Settings("order=arrival,place=consolidate")...))
}
