package gandiva

import (
	"context"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// At 5 s job 1 ends. The first server has three of four GPUs free, too few for job 4, which waits
// for four at the third; job 0 moves beside job 2, and job 4 starts on the server that this
// empties, 45 s sooner than at home.
func TestEmptiedServerTakesJobs(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{job(0, 1, 50), job(0, 1, 5), job(0, 3, 50), job(0, 4, 50), job(1, 4, 10)}
	}
	expect(t, policy(t, New, "quantum=inf")(), [3]int{1, 3, 4}, nil, jobs(),
		"1 on [1] 0s-5s finish", "0 on [0] 0s-5s migrate", "4 on [0 1 2 3] 5s-15s finish",
		"2 on [4 5 6] 0s-50s finish", "3 on [8 9 10 11] 0s-50s finish", "0 on [7] 5s-50s finish")
	// Its jobs stay where a server need not be emptied, and job 4 waits for its home.
	expect(t, policy(t, New, "quantum=inf,defrag=1.1")(), [3]int{1, 3, 4}, nil, jobs(),
		"1 on [1] 0s-5s finish", "0 on [0] 0s-50s finish", "2 on [4 5 6] 0s-50s finish",
		"3 on [8 9 10 11] 0s-50s finish",
		"4 on [8 9 10 11] 50s-60s finish")
}

// idle is the policy, and counts the instants at which a job ended after whose decisions a server
// is empty although the most crowded one has a job that it could run.
type idle struct {
	*Policy
	ends   int
	wasted int
}

// Decide asks the policy, and follows which GPUs are free after its decisions.
func (d *idle) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	before := len(out)
	out = d.Policy.Decide(v, out)
	ended := false
	for _, ev := range v.Events() {
		ended = ended || ev.Kind == sim.Finish
	}
	from := top(&d.fleet.crowded)
	if !ended || from < 0 {
		return out
	}
	d.ends++
	t := v.Topology()
	used := make([]int32, t.Machines()) // after the decisions
	place := map[sim.JobID][]cluster.GPU{}
	for _, j := range v.Running() {
		place[j] = v.Run(j).Held()
	}
	for _, dec := range out[before:] {
		switch dec.Kind {
		case sim.Start, sim.Migrate:
			place[dec.Job] = dec.GPUs
		case sim.Preempt:
			delete(place, dec.Job)
		}
	}
	for _, gpus := range place {
		for _, g := range gpus {
			used[t.Machine(g)]++
		}
	}
	src := &d.fleet.servers[from]
	for m := range used {
		if used[m] > 0 || int32(m) == from || d.fleet.servers[m].promised {
			continue
		}
		for i := range src.suspended.len() {
			if d.demand(src.suspended.at(i)).GPUs <= d.fleet.servers[m].size {
				d.wasted++
				return out
			}
		}
	}
	return out
}

// crowd draws jobs of 1 to 8 GPUs for 6 servers of 4, more than fit, so that most servers have jobs
// that wait.
func crowd(r *rand.Rand) []sim.Job {
	jobs := make([]sim.Job, 60)
	at := 0.0
	for i := range jobs {
		at += 4 * r.Float64()
		jobs[i] = job(at, []int32{1, 1, 1, 2, 3, 4, 4, 6, 8}[r.IntN(9)], 1+float64(r.IntN(40)))
		jobs[i].ID = string(rune('a'+i/26)) + string(rune('a'+i%26))
	}
	return jobs
}

// When a job has ended, no server is empty while the most crowded one has a job that it could run:
// what moves leave is given out as well as what the job left.
func TestNoServerIdlesBesideACrowd(t *testing.T) {
	ends, wasted := 0, 0
	for seed := range uint64(60) {
		w, err := sim.NewWorkload("crowd", crowd(rng.Source{Seed: seed}.Stream("crowd").Rand))
		if err != nil {
			t.Fatal(err)
		}
		topology, err := cluster.New(cluster.Uniform(2, 3, 4, 1))
		if err != nil {
			t.Fatal(err)
		}
		d := &idle{Policy: policy(t, New, "quantum=20")().(*Policy)}
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology,
			Speed: simtest.Counting{}, Check: true}, d); err != nil {
			t.Fatal(err)
		}
		ends, wasted = ends+d.ends, wasted+d.wasted
	}
	t.Logf("%d instants with jobs that ended while others waited, %d with an empty server", ends, wasted)
	if ends < 500 || wasted > 0 {
		t.Errorf("an empty server beside a crowded one in %d of %d instants, expected none in 500 or more", wasted,
			ends)
	}
}
