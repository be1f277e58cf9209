package delay

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// job asks for gpus at submit and runs for run, both in seconds.
func job(submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// expect runs jobs, which are in order of submission, on racks x machines x gpus and compares.
func expect(t *testing.T, p sim.Policy, shape [3]int, outages outage.Schedule, jobs []sim.Job, want ...string) {
	t.Helper()
	simtest.ByHand{Shape: shape, Outages: outages, Jobs: jobs}.Expect(t, p, want...)
}

// fragments fills 2 racks x 2 machines x 2 GPUs with jobs of one GPU; those on the odd GPUs named
// end at the given times, the others at 1000 s.
func fragments(ends map[int]float64) []sim.Job {
	var jobs []sim.Job
	for g := range 8 {
		run := 1000.0
		if e, ok := ends[g]; ok {
			run = e
		}
		jobs = append(jobs, job(0, 1, run))
	}
	return jobs
}

// startOf runs the jobs and gives the allocations of one of them.
func startOf(t *testing.T, text string, outages outage.Schedule, jobs []sim.Job, id sim.JobID) []string {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	var all simtest.Tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Outages: outages.Source(), Check: true}
	if _, err := sim.Run(context.Background(), cfg, policy(t, New, text)(), &all); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range all.Lines {
		var x sim.JobID
		if _, err := fmt.Sscan(l, &x); err == nil && x == id {
			got = append(got, l)
		}
	}
	return got
}

func TestLevelsOpenInTurn(t *testing.T) {
	rack := map[int]float64{1: 1, 3: 1, 5: 1, 7: 1} // one GPU free on every machine from 1 s on
	wide := map[int]float64{1: 1, 5: 1}             // one GPU free in every rack
	for _, c := range []struct {
		name, text string
		ends       map[int]float64
		gpus       int32
		want       string
	}{
		{"rack after W1", "wait_machine=10,wait_rack=20", rack, 2, "8 on [1 3] 10.5s-15.5s finish"},
		{"anything after W1+W2", "wait_machine=10,wait_rack=20", wide, 2, "8 on [1 5] 30.5s-35.5s finish"},
		{"the clock runs while it declines", "wait_machine=10,wait_rack=20,clock=offer", rack, 2,
			"8 on [1 3] 11s-16s finish"},
		{"and so for anything", "wait_machine=10,wait_rack=20,clock=offer", wide, 2, "8 on [1 5] 31s-36s finish"},
		{"no wait", "wait_machine=0,wait_rack=0", wide, 2, "8 on [1 5] 1s-6s finish"},
		{"for ever", "wait_machine=inf", rack, 2, "8 on [0 1] 1000s-1005s finish"},
		{"one machine is always taken", "wait_machine=inf", map[int]float64{0: 2, 1: 3}, 2, "8 on [0 1] 3s-8s finish"},
		{"too wide for a machine: begins at the rack", "wait_machine=inf,wait_rack=7",
			map[int]float64{0: 1, 1: 1, 2: 2}, 3, "8 on [0 1 2] 2s-7s finish"},
		{"and waits W2 alone", "wait_machine=inf,wait_rack=7", map[int]float64{0: 1, 1: 1, 5: 2}, 3,
			"8 on [0 1 5] 7.5s-12.5s finish"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := startOf(t, c.text, nil, append(fragments(c.ends), job(0.5, c.gpus, 5)), 8); !slices.Equal(got,
				[]string{c.want}) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// At 2 s one GPU of each of two machines is free: declined, 1. At 3 s: 2. At 4 s it has declined
// twice and accepts.
func TestCountForm(t *testing.T) {
	ends := map[int]float64{1: 1, 3: 2, 5: 3, 7: 4}
	for skips, want := range map[int]string{
		0: "8 on [1 3] 2s-7s finish", 1: "8 on [1 3] 3s-8s finish", 2: "8 on [1 3] 4s-9s finish",
		3: "8 on [0 1] 1000s-1005s finish",
	} {
		if got := startOf(t, fmt.Sprintf("form=count,skips=%d", skips), nil, append(fragments(ends), job(0.5, 2, 5)),
			8); !slices.Equal(got, []string{want}) {
			t.Errorf("skips %d: got %q, want %q", skips, got, want)
		}
	}
}

// The job ran on a rack when a fault threw it out at 20 s: it takes a rack again at once, and
// anything only after W2 more.
func TestLaunchSetsTheLevel(t *testing.T) {
	rack := map[int]float64{1: 1, 3: 1, 5: 1, 7: 1}
	fault := outage.Schedule{{At: 20 * sim.Second, Machine: 0, GPU: 1}}
	got := startOf(t, "wait_machine=10,wait_rack=20", fault, append(fragments(rack), job(0.5, 2, 100)), 8)
	if want := []string{"8 on [1 3] 10.5s-20s fault", "8 on [5 7] 20s-120s finish"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	fault = append(fault, sim.Outage{At: 20 * sim.Second, Machine: 3, GPU: 1})
	got = startOf(t, "wait_machine=10,wait_rack=20", fault, append(fragments(rack), job(0.5, 2, 100)), 8)
	if want := []string{"8 on [1 3] 10.5s-20s fault", "8 on [3 5] 40s-140s finish"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A decliner does not hold up those behind it.
func TestOthersPass(t *testing.T) {
	jobs := append(fragments(map[int]float64{1: 1, 3: 1}), job(0.5, 2, 5), job(0.6, 1, 5))
	if got, want := startOf(t, "", nil, jobs, 9), []string{"9 on [1] 1s-6s finish"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Fair order serves the user who holds less, although the other submitted first; users alternate.
func TestFairOrder(t *testing.T) {
	jobs := func() []sim.Job {
		js := []sim.Job{job(0, 1, 4), job(0, 1, 8), job(1, 1, 5), job(2, 1, 5), job(3, 1, 5)}
		for i, u := range []string{"u", "u", "u", "u", "v"} {
			js[i].User = u
		}
		return js
	}
	expect(t, policy(t, New, "order=fair")(), [3]int{1, 1, 2}, nil, jobs(),
		"0 on [0] 0s-4s finish", "1 on [1] 0s-8s finish", "4 on [0] 4s-9s finish", "2 on [1] 8s-13s finish",
		"3 on [0] 9s-14s finish")
	expect(t, policy(t, New, "")(), [3]int{1, 1, 2}, nil, jobs(),
		"0 on [0] 0s-4s finish", "1 on [1] 0s-8s finish", "2 on [0] 4s-9s finish", "3 on [1] 8s-13s finish",
		"4 on [0] 9s-14s finish")
}

// On three GPUs u and v begin with 2 and 1. At 2 s each holds 1: with weight 3 that counts 1/3 for
// u, which is next; with equal weights they are level, and v's job came first. At 9 s u holds 1 of
// the weighted and v nothing: v, then u (1/3 against 1). With equal weights v holds 1: u, then by
// arrival v.
func TestFairOrderByWeight(t *testing.T) {
	owners, err := tenant.New([]tenant.Tenant{{User: "u", Weight: 3}})
	if err != nil {
		t.Fatal(err)
	}
	js := []sim.Job{job(0, 1, 2), job(0, 1, 9), job(0, 1, 9), job(1, 1, 9), job(1, 1, 9), job(1, 1, 9), job(1, 1, 9)}
	for i, u := range []string{"u", "u", "v", "v", "u", "v", "u"} {
		js[i].User = u
	}
	simtest.ByHand{Shape: [3]int{1, 1, 3}, Tenants: owners, Jobs: slices.Clone(js)}.Expect(t,
		policy(t, New, "order=fair")(),
		"0 on [0] 0s-2s finish", "2 on [1] 0s-9s finish", "1 on [2] 0s-9s finish", "4 on [0] 2s-11s finish",
		"3 on [1] 9s-18s finish", "6 on [2] 9s-18s finish", "5 on [0] 11s-20s finish")
	simtest.ByHand{Shape: [3]int{1, 1, 3}, Jobs: js}.Expect(t, policy(t, New, "order=fair")(),
		"0 on [0] 0s-2s finish", "2 on [1] 0s-9s finish", "1 on [2] 0s-9s finish", "3 on [0] 2s-11s finish",
		"4 on [1] 9s-18s finish", "5 on [2] 9s-18s finish", "6 on [0] 11s-20s finish")
}
