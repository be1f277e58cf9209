package ffdl

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// ask is a job for gpus at submit that runs for run, both in seconds, in workers of worker GPUs.
func ask(submit float64, gpus, worker int32, run float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, WorkerGPUs: worker, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// With 8 GPUs and a limit of 6: job 0 is alone and goes at once; job 1 exceeds the limit and waits;
// job 2 would fit, but the queue is not empty. At 30 s job 0 ends: the poll at 60 s admits job 1,
// that at 120 s job 2.
func TestPolls(t *testing.T) {
	jobs := []sim.Job{ask(0, 4, 0, 30), ask(1, 4, 0, 200), ask(2, 1, 0, 5)}
	simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}.Expect(t, policy(t, "limit=any:6")(),
		"0 on [0 1 2 3] 0s-30s finish", "2 on [4] 120s-125s finish", "1 on [0 1 2 3] 60s-260s finish")
}

// The same without polls: both follow when job 0 ends.
func TestNoPolls(t *testing.T) {
	jobs := []sim.Job{ask(0, 4, 0, 30), ask(1, 4, 0, 200), ask(2, 1, 0, 5)}
	simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}.Expect(t, policy(t, "limit=any:6,poll_s=0")(),
		"0 on [0 1 2 3] 0s-30s finish", "2 on [4] 30s-35s finish", "1 on [0 1 2 3] 30s-230s finish")
}

// A job larger than the limit runs when nothing is admitted, and one that joins meanwhile waits for
// it.
func TestLargerThanTheLimit(t *testing.T) {
	jobs := []sim.Job{ask(0, 1, 0, 10), ask(1, 4, 0, 10), ask(2, 1, 0, 5)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "limit=any:2,poll_s=4")(),
		"0 on [0] 0s-10s finish", "1 on [0 1 2 3] 12s-22s finish", "2 on [0] 24s-29s finish")
}

// Spread puts one learner on each of the emptiest machines, pack fills the fullest that has room.
func TestSpreadAndPack(t *testing.T) {
	jobs := []sim.Job{ask(0, 3, 1, 50), ask(1, 2, 1, 10)}
	simtest.ByHand{Shape: [3]int{1, 3, 4}, Jobs: jobs}.Expect(t, policy(t, "place=spread")(),
		"1 on [1 5] 1s-11s finish", "0 on [0 4 8] 0s-50s finish")
	simtest.ByHand{Shape: [3]int{1, 3, 4}, Jobs: jobs}.Expect(t, policy(t, "place=pack")(), "1 on [3 4] 1s-11s finish",
		"0 on [0 1 2] 0s-50s finish")
}

// A gang without a learner size is as few learners as fit: 6 GPUs on machines of 4 are two of 3.
func TestLearnersOfAnUnknownSize(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 3, 4}, Jobs: []sim.Job{ask(0, 6, 0, 50)}}.Expect(t, policy(t, "")(),
		"0 on [0 1 2 4 5 6] 0s-50s finish")
}

// Two jobs of two learners meet two GPUs: one by one the learners of both have one each in 2 of 3
// orders, and neither job ever starts. As gangs both run.
func TestDeadlock(t *testing.T) {
	const n = 600
	top, err := cluster.New(cluster.Uniform(1, 2, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.Job{ask(0, 2, 1, 10), ask(0, 2, 1, 10)}
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("deadlock", jobs)
	if err != nil {
		t.Fatal(err)
	}
	stuck := 0
	for seed := range n {
		p := policy(t, fmt.Sprintf("limit=none,gang=false,seed=%d", seed))().(*Policy)
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		switch a, b := e.Record(0).State, e.Record(1).State; {
		case a == sim.Done && b == sim.Done:
			if p.idle.most != 0 {
				t.Errorf("seed %d: %d GPUs were idle, and no job held one in vain", seed, p.idle.most)
			}
		case a == sim.Waiting && b == sim.Waiting:
			stuck++
			if p.idle.most != 2 {
				t.Errorf("seed %d: both wait, and %d GPUs are held", seed, p.idle.most)
			}
		default:
			t.Errorf("seed %d: one is %v, the other %v", seed, a, b)
		}
	}
	if got, want := float64(stuck)/n, 2.0/3; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
		t.Errorf("%d of %d runs stand still, expected two thirds", stuck, n)
	}
	simtest.ByHand{Shape: [3]int{1, 2, 1}, Jobs: jobs}.Expect(t, policy(t, "limit=none")(), "0 on [0 1] 0s-10s finish",
		"1 on [0 1] 10s-20s finish")
}

// Of three learners of one GPU two are placed at 0 s and the third when job 0 ends: two GPUs are
// held for 7 s in vain.
func TestIdleLearners(t *testing.T) {
	jobs := []sim.Job{ask(0, 2, 2, 7), ask(0, 3, 1, 10)}
	for seed := range 20 { // a pod of two GPUs may find no machine any more; then no GPU is kept
		p := policy(t, fmt.Sprintf("limit=none,gang=false,seed=%d", seed))().(*Policy)
		for i := range jobs {
			jobs[i].ID = fmt.Sprint(i)
		}
		w, err := sim.NewWorkload("idle", jobs)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{"idle_learner_gpu_s": 0, "idle_learner_gpus_max": 0}
		if e.Record(1).Start > 0 {
			want = map[string]float64{"idle_learner_gpu_s": 14, "idle_learner_gpus_max": 2}
		}
		p.Measures(func(name, of, _ string, value float64) {
			if of != "" || value != want[name] {
				t.Errorf("seed %d: %s of %q is %v, want %v", seed, name, of, value, want[name])
			}
		})
	}
	policy(t, "")().(*Policy).Measures(func(name, _, _ string,
		_ float64) {
		t.Errorf("gangs have the measure %s", name)
	})
}
