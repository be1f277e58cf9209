package philly

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// ask is a job of a VC for gpus at submit that runs for run, both in seconds.
func ask(vc string, submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{VC: vc, Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// byHand is a case worked out by hand, on racks x servers x GPUs.
type byHand struct {
	shape    [3]int
	quotas   []tenant.Tenant
	costs    sim.Costs
	settings string
	jobs     []sim.Job
}

// quotas are the quotas of VCs a and b.
func quotas(a, b int) []tenant.Tenant {
	return []tenant.Tenant{{VC: "a", GPUs: a, Weight: 1}, {VC: "b", GPUs: b, Weight: 1}}
}

// expect runs the case and compares the tape; it gives the policy.
func (c byHand) expect(t *testing.T, want ...string) *Policy {
	t.Helper()
	for i := range c.jobs {
		c.jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", c.jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(c.shape[0], c.shape[1], c.shape[2], 1))
	if err != nil {
		t.Fatal(err)
	}
	set, err := tenant.New(c.quotas)
	if err != nil {
		t.Fatal(err)
	}
	var got simtest.Tape
	p := policy(t, c.settings)().(*Policy)
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Costs: c.costs, Tenants: set, Check: true}
	if _, err := sim.Run(context.Background(), cfg, p, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Lines, want) {
		t.Errorf("got\n%q\nwant\n%q", got.Lines, want)
	}
	return p
}

// delays compares what a job waited for, in seconds.
func (p *Policy) expectDelays(t *testing.T, j sim.JobID, fair, frag, room float64) {
	t.Helper()
	want := delays{sim.Seconds(fair), sim.Seconds(frag), sim.Seconds(room)}
	if got := p.jobs[j].sum; got != want {
		t.Errorf("job %d waited for %v, want %v", j, got, want)
	}
}

// Job 1 takes VC a above its quota of 2 while b is idle. Job 2 of b preempts it, since all 4 GPUs
// are allocated; it has done 4 of 100 s and waits for its share until job 2 ends.
func TestPreemption(t *testing.T) {
	c := byHand{shape: [3]int{1, 1, 4}, quotas: quotas(2, 2),
		jobs: []sim.Job{ask("a", 0, 2, 100), ask("a", 1, 2, 100), ask("b", 5, 2, 10)}}
	p := c.expect(t, "1 on [2 3] 1s-5s preempt", "2 on [2 3] 5s-15s finish", "0 on [0 1] 0s-100s finish",
		"1 on [2 3] 15s-111s finish")
	p.expectDelays(t, 1, 10, 0, 0)
	p.expectDelays(t, 2, 0, 0, 0)
	// Without preemption job 2 waits for GPUs, within its quota.
	c.settings = "preempt_frac=1.1"
	c.expect(t, "0 on [0 1] 0s-100s finish", "1 on [2 3] 1s-101s finish",
		"2 on [0 1] 100s-110s finish").expectDelays(t, 2, 0, 95, 0)
	// Without borrowing job 1 waits for its share all the time.
	c.settings = "borrow=false"
	c.expect(t, "2 on [2 3] 5s-15s finish", "0 on [0 1] 0s-100s finish", "1 on [0 1] 100s-200s finish").expectDelays(t,
		1, 99, 0, 0)
}

// The checkpoint of job 1 takes 2 s. Job 3 comes meanwhile and would take GPU 2 as soon as it is
// free, but job 2 is to have it.
func TestWaitsForCheckpoints(t *testing.T) {
	c := byHand{shape: [3]int{1, 1, 4}, quotas: quotas(2, 2), settings: "above=wait",
		costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 2}},
		jobs:  []sim.Job{ask("a", 0, 2, 100), ask("a", 1, 2, 100), ask("b", 5, 2, 10), ask("b", 6, 1, 10)}}
	c.expect(t, "1 on [2 3] 1s-7s preempt", "2 on [2 3] 7s-17s finish", "3 on [2] 17s-27s finish",
		"0 on [0 1] 0s-100s finish", "1 on [2 3] 27s-123s finish")
}

// The last started job 2 gives up one GPU of server 0 in the plan, which does not help; job 1 gives
// up server 1. Only job 1 is preempted.
func TestOnlyUsefulVictims(t *testing.T) {
	c := byHand{shape: [3]int{1, 2, 2}, quotas: quotas(1, 3),
		jobs: []sim.Job{ask("a", 0, 1, 50), ask("a", 0, 2, 50), ask("a", 0, 1, 50), ask("b", 5, 2, 10)}}
	c.expect(t, "1 on [2 3] 0s-5s preempt", "3 on [2 3] 5s-15s finish", "0 on [0] 0s-50s finish",
		"2 on [1] 0s-50s finish", "1 on [2 3] 15s-60s finish")
}

// fragments leaves GPU 0 and GPU 3 of two servers of 2 free from 5 s on; of job 1 on GPU 1 the end
// is given.
func fragments(end float64, more ...sim.Job) []sim.Job {
	return append([]sim.Job{ask("a", 0, 1, 5), ask("a", 0, 1, end), ask("a", 0, 1, 1000)}, more...)
}

const short = "hold_s=10,backoff_s=5,tries_per_level=2"

// Job 3 needs a server. It holds GPU 0 from 10 s to 20 s and from 25 s to 35 s in vain; then the
// rack is open to it, and it starts at 40 s. It holds 20 GPU-seconds, and two GPUs are idle all
// that time.
func TestTriesAndLevels(t *testing.T) {
	c := byHand{shape: [3]int{1, 2, 2}, settings: short, jobs: fragments(1000, ask("a", 10, 2, 5))}
	p := c.expect(t, "0 on [0] 0s-5s finish", "3 on [0 3] 40s-45s finish", "1 on [1] 0s-1000s finish",
		"2 on [2] 0s-1000s finish")
	p.expectDelays(t, 3, 0, 30, 30)
	if p.idle.held != 20*sim.Second || p.idle.most != 1 || p.counts != (counts{tries: 2, vain: 2,
		starts: [3]int64{3, 1, 0}}) {
		t.Errorf("held %v, at most %d; %+v", p.idle.held, p.idle.most, p.counts)
	}
	// Where the rack is open from the start no GPUs are held.
	c.settings = "from=rack"
	c.expect(t, "0 on [0] 0s-5s finish", "3 on [0 3] 10s-15s finish", "1 on [1] 0s-1000s finish",
		"2 on [2] 0s-1000s finish")
}

// Both VCs own 1 GPU of 4. Job 3 of a needs two and is above the quota: it holds nothing, so that
// job 4 of b has GPU 0 as it comes. It tries every 5 s, at first on a server, and has both GPUs at
// 115 s, after job 4. With above=hold it keeps GPU 0 until 20 s. With above=wait it makes no tries,
// so that it starts where a server is free, at 1000 s.
func TestAboveTheQuotaNothingIsHeld(t *testing.T) {
	c := byHand{shape: [3]int{1, 2, 2}, quotas: quotas(1, 1), settings: short,
		jobs: fragments(1000, ask("a", 10, 2, 5), ask("a", 12, 1, 100))}
	c.expect(t, "0 on [0] 0s-5s finish", "4 on [0] 12s-112s finish", "3 on [0 3] 115s-120s finish",
		"1 on [1] 0s-1000s finish", "2 on [2] 0s-1000s finish")
	c.settings = short + ",above=hold"
	c.expect(t, "0 on [0] 0s-5s finish", "4 on [3] 12s-112s finish", "3 on [0 3] 115s-120s finish",
		"1 on [1] 0s-1000s finish", "2 on [2] 0s-1000s finish")
	c.settings = short + ",above=wait"
	c.expect(t, "0 on [0] 0s-5s finish", "4 on [0] 12s-112s finish", "1 on [1] 0s-1000s finish",
		"2 on [2] 0s-1000s finish", "3 on [0 1] 1000s-1005s finish")
}

// With a server in each rack the level rack is as bad as servers: job 3 makes four tries, and
// starts anywhere at 70 s.
func TestAnywhere(t *testing.T) {
	c := byHand{shape: [3]int{2, 1, 2}, settings: short, jobs: []sim.Job{ask("a", 0, 1, 1000), ask("a", 0, 1, 5),
		ask("a", 0, 1, 1000), ask("a", 10, 2, 5)}}
	c.expect(t, "1 on [1] 0s-5s finish", "3 on [1 3] 70s-75s finish", "0 on [0] 0s-1000s finish",
		"2 on [2] 0s-1000s finish")
}

// Job 1 ends at 17 s, within the first try of job 3, which then has both GPUs of server 0.
func TestTrySucceeds(t *testing.T) {
	c := byHand{shape: [3]int{1, 2, 2}, settings: short, jobs: fragments(17, ask("a", 10, 2, 5))}
	p := c.expect(t, "0 on [0] 0s-5s finish", "1 on [1] 0s-17s finish", "3 on [0 1] 17s-22s finish",
		"2 on [2] 0s-1000s finish")
	p.expectDelays(t, 3, 0, 7, 7)
}

// What job 3 holds no other job gets: job 4 passes it on GPU 3, job 5 waits until 20 s for GPU 0.
// Then nothing is free until 112 s, when the second try of job 3 begins, on server 1; GPU 0 is free
// at 120 s, at 122 s the rack is open, and it starts at 127 s. In order both others wait for job 3,
// which starts at 40 s.
func TestHeldAndPassed(t *testing.T) {
	c := byHand{shape: [3]int{1, 2, 2}, settings: short + ",above=hold",
		jobs: fragments(1000, ask("a", 10, 2, 5), ask("a", 12, 1, 100), ask("a", 13, 1, 100))}
	c.expect(t, "0 on [0] 0s-5s finish", "4 on [3] 12s-112s finish", "5 on [0] 20s-120s finish",
		"3 on [0 3] 127s-132s finish", "1 on [1] 0s-1000s finish", "2 on [2] 0s-1000s finish")
	c.settings += ",out_of_order=false"
	c.expect(t, "0 on [0] 0s-5s finish", "3 on [0 3] 40s-45s finish", "4 on [0] 45s-145s finish",
		"5 on [3] 45s-145s finish", "1 on [1] 0s-1000s finish", "2 on [2] 0s-1000s finish")
}

// Rack 0 has a job already: the job of two servers goes to rack 1, the next two jobs fill the
// fullest servers with room.
func TestRacksByAllocation(t *testing.T) {
	c := byHand{shape: [3]int{2, 2, 2}, jobs: []sim.Job{ask("a", 0, 1, 50), ask("a", 1, 4, 9), ask("a", 2, 1, 9),
		ask("a", 3, 2, 9)}}
	c.expect(t, "1 on [4 5 6 7] 1s-10s finish", "2 on [1] 2s-11s finish", "3 on [2 3] 3s-12s finish",
		"0 on [0] 0s-50s finish")
}

// The VC that uses the smaller part of its quota goes first: at 10 s b has 1 of 3 and a 1 of 1, so
// that job 4 goes before job 3, which came earlier.
func TestOrderOfVCs(t *testing.T) {
	c := byHand{shape: [3]int{1, 1, 4}, quotas: quotas(1, 3),
		jobs: []sim.Job{ask("a", 0, 1, 50), ask("b", 0, 1, 50), ask("b", 0, 2, 10), ask("a", 1, 2, 9),
			ask("b", 2, 2, 20)}}
	p := c.expect(t, "2 on [2 3] 0s-10s finish", "4 on [2 3] 10s-30s finish", "3 on [2 3] 30s-39s finish",
		"0 on [0] 0s-50s finish", "1 on [1] 0s-50s finish")
	p.expectDelays(t, 3, 29, 0, 0)
	p.expectDelays(t, 4, 8, 0, 0) // b has 3 of 3 until job 2 ends
}

// Without stated quotas a and b share 4 GPUs once b has come: job 1 gives way then. With
// unstated=none nothing is above a quota.
func TestUnstated(t *testing.T) {
	c := byHand{shape: [3]int{1, 1, 4}, jobs: []sim.Job{ask("a", 0, 2, 100), ask("a", 1, 2, 100), ask("b", 5, 2, 10)}}
	c.expect(t, "1 on [2 3] 1s-5s preempt", "2 on [2 3] 5s-15s finish", "0 on [0 1] 0s-100s finish",
		"1 on [2 3] 15s-111s finish")
	c.settings = "unstated=none"
	c.expect(t, "0 on [0 1] 0s-100s finish", "1 on [2 3] 1s-101s finish", "2 on [0 1] 100s-110s finish")
}

func TestMeasures(t *testing.T) {
	c := byHand{shape: [3]int{1, 1, 4}, quotas: quotas(2, 2),
		jobs: []sim.Job{ask("a", 0, 2, 100), ask("a", 1, 2, 100), ask("b", 5, 2, 10)}}
	p := c.expect(t, "1 on [2 3] 1s-5s preempt", "2 on [2 3] 5s-15s finish", "0 on [0 1] 0s-100s finish",
		"1 on [2 3] 15s-111s finish")
	got := map[string]float64{}
	p.Measures(func(name, of, _ string, value float64) { got[name+" "+of] = value })
	for name, want := range map[string]float64{"fair_share_delay_s ": 10, "fair_share_delay_s a": 10,
		"fair_share_delay_s b": 0, "quota_preemptions a": 1, "starts servers": 4, "held_gpu_s ": 0} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}
