package drf

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/drf/dominant"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// ask is a job of a user for gpus at submit that runs for run, both in seconds.
func ask(user string, submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{User: user, Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// setting numbers the jobs and puts them on a cluster.
func setting(t *testing.T, spec cluster.Spec, jobs []sim.Job) sim.Config {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
}

// The example of NSDI 2011, section 4.1, as jobs: of 9 GPUs and 54 MiB a job of A takes 1 GPU and
// 12 MiB, one of B 3 GPUs and 3 MiB. Three of A and two of B start at once.
func TestExampleOfThePaper(t *testing.T) {
	var jobs []sim.Job
	for range 5 {
		a, b := ask("A", 0, 1, 10), ask("B", 0, 3, 10)
		a.MemMiB, b.MemMiB = 12, 1
		jobs = append(jobs, a, b)
	}
	spec := cluster.Uniform(1, 1, 9, 1)
	spec.Racks[0][0].MemMiB = 54
	cfg := setting(t, spec, jobs)
	cfg.Until = 5 * sim.Second
	e, err := sim.Run(context.Background(), cfg, policy(t, "")())
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	for j := range cfg.Workload.Jobs {
		if e.Record(sim.JobID(j)).Start == 0 {
			runs[cfg.Workload.Jobs[j].User]++
		}
	}
	if runs["A"] != 3 || runs["B"] != 2 {
		t.Errorf("%v start, expected 3 of A and 2 of B", runs)
	}
}

// Four GPUs. At 1 s no tenant has any, and a came first: job 1. Then b has less, so job 3 goes
// before job 2, which came first. Job 4 does not fit and is passed over by job 5. At 11 s no tenant
// has any again: job 2, and job 4 when all four are free.
func TestOrder(t *testing.T) {
	jobs := []sim.Job{ask("c", 0, 4, 1), ask("a", 0.1, 2, 10), ask("a", 0.2, 2, 10), ask("b", 0.3, 1, 10),
		ask("b", 0.4, 4, 10), ask("b", 0.5, 1, 10)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "")(), "0 on [0 1 2 3] 0s-1s finish",
		"1 on [0 1] 1s-11s finish", "3 on [2] 1s-11s finish",
		"5 on [3] 1s-11s finish", "2 on [0 1] 11s-21s finish", "4 on [0 1 2 3] 21s-31s finish")
}

// The same with misfits=hold: at 1 s job 1 of a starts, then b is next and its first job, 3; then b
// again, whose first is now job 4, which does not fit. So job 5 waits although a GPU is free. At 11
// s no tenant has any: a is first with job 2, then b has less, and its job 4 waits for job 2. At 21
// s job 4 runs alone.
func TestHold(t *testing.T) {
	jobs := []sim.Job{ask("c", 0, 4, 1), ask("a", 0.1, 2, 10), ask("a", 0.2, 2, 10), ask("b", 0.3, 1, 10),
		ask("b", 0.4, 4, 10), ask("b", 0.5, 1, 10)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "misfits=hold")(),
		"0 on [0 1 2 3] 0s-1s finish", "1 on [0 1] 1s-11s finish", "3 on [2] 1s-11s finish",
		"2 on [0 1] 11s-21s finish", "4 on [0 1 2 3] 21s-31s finish", "5 on [0] 31s-41s finish")
}

// User a holds all four GPUs when jobs 4, 5 and 6 of b arrive at 5, 6 and 7 s. Each is due 15 s
// later. At 20 s a keeps 3/4 without job 3, its newest, and b has 1/4 then; at 21 s both have 1/2
// without job 2. At 22 s a would have less than b, so job 6 waits until job 4 has ended. Job 2
// resumes when job 5 has ended, with 79 s to go, job 3 after job 6, with 80 s.
func TestPreemption(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 1, 100), ask("a", 0, 1, 100), ask("a", 0, 1, 100), ask("a", 0, 1, 100),
		ask("b", 5, 1, 10), ask("b", 6, 1, 10), ask("b", 7, 1, 10)}
	c := simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}
	c.Expect(t, policy(t, "preempt=true")(), "3 on [3] 0s-20s preempt", "2 on [2] 0s-21s preempt",
		"4 on [3] 20s-30s finish", "5 on [2] 21s-31s finish",
		"6 on [3] 30s-40s finish", "0 on [0] 0s-100s finish", "1 on [1] 0s-100s finish", "2 on [2] 31s-110s finish",
		"3 on [3] 40s-120s finish")

	// A checkpoint takes 2 s. Nothing else starts meanwhile, and then job 4 does.
	c.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 2}}
	c.Jobs = append(slices.Clone(jobs[:5]), ask("c", 21, 1, 1))
	c.Expect(t, policy(t, "preempt=true")(), "3 on [3] 0s-22s preempt", "4 on [3] 22s-32s finish",
		"5 on [3] 32s-33s finish", "0 on [0] 0s-100s finish",
		"1 on [1] 0s-100s finish", "2 on [2] 0s-100s finish", "3 on [3] 33s-113s finish")
}

// balance checks at every instant that no tenant has a job more than the weights allow.
type balance struct {
	*Policy
	t       *testing.T
	weights []float64
	until   sim.Time
}

func (b balance) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = b.Policy.Decide(v, out)
	if v.Now() >= b.until {
		return out
	}
	for i, w := range b.weights {
		for k, x := range b.weights {
			n, m := b.jobsOf(i), b.jobsOf(k)
			if (n-1)/w > m/x+1e-9 {
				b.t.Fatalf("at %v tenant %d of weight %v has %v jobs, and %d of weight %v has %v", v.Now(), i, w, n, k,
					x, m)
			}
		}
	}
	return out
}

func (b balance) jobsOf(i int) float64 {
	id, ok := b.nodes[owner{dominant.Root, fmt.Sprint(i)}]
	if !ok {
		return 0
	}
	return b.tree.Used(id)[0] / 1000
}

// Where every tenant always has jobs of one GPU waiting, at every instant (n - 1)/w of any of them
// is at most m/x of any other: no tenant ever has a whole job more than its weight gives, whatever
// the run times, and its GPU-time in the long run is within that. It holds for users of one virtual
// cluster, and for virtual clusters whose users share evenly.
func TestSharesFollowWeights(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		weights := [][]float64{{2, 1}, {1, 1, 1}, {5, 3, 1}, {0.5, 2, 0.7, 1.3}}[seed%4]
		var jobs []sim.Job
		var rows []tenant.Tenant
		for i, w := range weights {
			rows = append(rows, tenant.Tenant{VC: fmt.Sprint(i), Weight: w})
			for range 700 {
				j := ask("u", 0, 1, float64(1+r.IntN(20)))
				j.VC = fmt.Sprint(i)
				jobs = append(jobs, j)
			}
		}
		cfg := setting(t, cluster.Uniform(1, 2, 6, 1), jobs)
		set, err := tenant.New(rows)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Tenants = set
		// 700 jobs of 10.5 s in the mean; the largest tenant has at most 7 of 12 GPUs, so that for
		// 800 s all have some left.
		p := balance{Policy: policy(t, []string{"", "by=vc", "tree=naive"}[seed%3])().(*Policy), t: t,
			weights: weights, until: 800 * sim.Second}
		if _, err := sim.Run(context.Background(), cfg, p); err != nil {
			t.Fatal(err)
		}
	}
}
