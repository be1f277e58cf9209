package multifactor

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// ask is a job for gpus at submit that runs for run, both in seconds, of a class of priority.
func ask(submit float64, gpus int32, run float64, priority int32) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run), Priority: priority}
}

// Five GPUs, all priorities equal, so that jobs go by arrival. Job 1 needs four and can start at 10
// s, when one is left over; job 2 needs all five. Job 3 would run on the one left over: easy starts
// it at once, which delays job 2 from 20 s to 43 s; conservative does not, and starts it behind job 2.
// Job 4 ends before 10 s: both start it at 4 s. Without backfilling all wait in line.
func TestBackfill(t *testing.T) {
	jobs := []sim.Job{ask(0, 3, 10, 0), ask(1, 4, 10, 0), ask(2, 5, 10, 0), ask(3, 1, 40, 0), ask(4, 1, 5, 0)}
	c := simtest.ByHand{Shape: [3]int{1, 1, 5}, Jobs: jobs}
	c.Expect(t, policy(t, "weight_size=0")(), "4 on [3] 4s-9s finish", "0 on [0 1 2] 0s-10s finish",
		"1 on [0 1 2 3] 10s-20s finish",
		"2 on [0 1 2 3 4] 20s-30s finish", "3 on [0] 30s-70s finish")
	c.Expect(t, policy(t, "weight_size=0,backfill=easy")(), "4 on [4] 4s-9s finish", "0 on [0 1 2] 0s-10s finish",
		"1 on [0 1 2 4] 10s-20s finish",
		"3 on [3] 3s-43s finish", "2 on [0 1 2 3 4] 43s-53s finish")
	c.Expect(t, policy(t, "weight_size=0,backfill=none")(), "0 on [0 1 2] 0s-10s finish",
		"1 on [0 1 2 3] 10s-20s finish", "2 on [0 1 2 3 4] 20s-30s finish",
		"4 on [1] 30s-35s finish", "3 on [0] 30s-70s finish")
}

// With weight on size the widest waiting job goes first, or with favor=small the narrowest.
func TestSize(t *testing.T) {
	jobs := []sim.Job{ask(0, 4, 10, 0), ask(1, 1, 10, 0), ask(2, 4, 10, 0)}
	c := simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}
	c.Expect(t, policy(t, "backfill=none")(), "0 on [0 1 2 3] 0s-10s finish", "2 on [0 1 2 3] 10s-20s finish",
		"1 on [0] 20s-30s finish")
	c.Expect(t, policy(t, "backfill=none,favor=small")(), "0 on [0 1 2 3] 0s-10s finish", "1 on [0] 10s-20s finish",
		"2 on [0 1 2 3] 20s-30s finish")
}

// Job 3 has the highest QOS and needs three of four busy GPUs. Lowest QOS first, of these the
// smallest, of these the latest: 2 and 1 with one GPU each do not suffice, with 0 they are more
// than it takes, so 2 is left alone. Jobs 0 and 1 have run 5 s and resume at 15 s.
func TestPreemption(t *testing.T) {
	jobs := []sim.Job{ask(0, 2, 20, 1), ask(0, 1, 20, 0), ask(0, 1, 20, 0), ask(5, 3, 10, 2)}
	c := simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}
	c.Expect(t, policy(t, "preempt=qos")(), "1 on [2] 0s-5s preempt", "0 on [0 1] 0s-5s preempt",
		"3 on [0 1 2] 5s-15s finish", "2 on [3] 0s-20s finish",
		"0 on [0 1] 15s-30s finish", "1 on [2] 15s-30s finish")

	// A checkpoint takes 2 s: job 3 starts at 7 s. Job 4, which comes at 6 s and has the QOS of job
	// 3, does not take a GPU that is on its way there; at 7 s it stops job 2 and starts at 9 s. At
	// 12 s job 0, of the highest QOS that waits, needs two GPUs and has them from 17 s on: job 1
	// delays it not.
	c.Jobs = append(jobs, ask(6, 1, 3, 2))
	c.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 2}}
	c.Expect(t, policy(t, "preempt=qos")(), "1 on [2] 0s-7s preempt", "0 on [0 1] 0s-7s preempt",
		"2 on [3] 0s-9s preempt", "4 on [3] 9s-12s finish",
		"3 on [0 1 2] 7s-17s finish", "1 on [3] 12s-27s finish", "2 on [2] 17s-30s finish", "0 on [0 1] 17s-32s finish")
}

// Every factor of one job: 16 GPUs on 4 machines; it asks for 6, which is 2 machines, and has
// waited a day. Virtual cluster a has priority 3 of at most 4, the job 2 of at most 5. The other
// user of a has used all so far: of two users the job's has rank 2 of 2.
func TestPriority(t *testing.T) {
	set, err := tenant.New([]tenant.Tenant{{VC: "a", Weight: 1, Priority: 3}, {VC: "b", Weight: 1, Priority: 4}})
	if err != nil {
		t.Fatal(err)
	}
	mine, first, high := ask(1, 6, 10, 2), ask(0, 16, 86401, 0), ask(2, 16, 10, 5)
	mine.VC, mine.User, first.VC, first.User, high.VC, high.User = "a", "u", "a", "v", "a", "v"
	mine.ID, first.ID, high.ID = "mine", "first", "high"
	w, err := sim.NewWorkload("three", []sim.Job{first, mine, high})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want float64
	}{
		// 1000/7 + 10000 x 1 + 1000 (2/4 + 6/16)/2 + 1000 x 3/4 + 1000 x 2/5 + 100 x 6/16 = 142.857
		// + 10000 + 437.5 + 750 + 400 + 37.5 = 11767.857
		{"weight_qos=1000,weight_gpu=100", 11767},
		// Classic: S 1/2 x 1/2, U 0, the account's effective usage 1, so UE = 1/2 and F = 2^-2.
		// 142.857 + 2500 + 437.5 + 750 = 3830.357
		{"fairshare=classic", 3830},
		{"fairshare=classic,dampening=2", 6330}, // F = 2^-1: 6330.357
		// The age factor is 1 after half a day; the size factor is 1 - 0.4375: 1000 + 10000 + 562.5
		// + 750
		{"max_age_s=43200,favor=small", 12312},
		{"weight_age=0,weight_fairshare=0,weight_size=0,weight_partition=0", 1},
	} {
		p := policy(t, c.text)().(*Policy)
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Tenants: set})
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(p.Knows())
		for range 3 { // 0 s, 1 s, 2 s
			v, _, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Apply(p.Decide(v, nil)); err != nil {
				t.Fatal(err)
			}
		}
		p.calculate(86401 * sim.Second) // the latest period ends at 86400 s
		if got := p.priority(86401*sim.Second, sim.Second, &p.jobs[1]); got != c.want {
			t.Errorf("%s: priority %v, expected %v", c.text, got, c.want)
		}
	}
}
