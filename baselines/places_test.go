package baselines_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/speed"
)

// ordering are the schedulers that take the common rules of places.
func ordering(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, e := range schedulers.All() {
		if strings.Contains(e.Params, "delay_machine_s") {
			names = append(names, e.Name)
		}
	}
	if len(names) < 23 {
		t.Fatalf("%d schedulers take the common rules of places: %v", len(names), names)
	}
	return names
}

// placed runs a policy on drawn jobs of 1 to 12 GPUs on two racks of three machines of four, one of
// six in the second; check sees each start.
func placed(t *testing.T, spec string, seed uint64, check func(v *sim.View, d *sim.Decision)) []sim.Record {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0x91ace))
	var jobs []sim.Job
	for i := range 16 {
		g := int32(1 + r.IntN(5))
		if r.IntN(4) == 0 {
			g = int32(1 + r.IntN(12))
		}
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(float64(r.IntN(60))), GPUs: g,
			User: string(rune('u' + r.IntN(2))), Work: sim.Seconds(float64(int(g) * (3 + r.IntN(40))))})
	}
	w, err := sim.NewWorkload("placed", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 3, GPUs: 4, Slots: 2}},
		{{Count: 2, GPUs: 4, Slots: 2}, {Count: 1, GPUs: 6, Slots: 2}}}})
	if err != nil {
		t.Fatal(err)
	}
	slow, err := speed.NewTiers(top, speed.DefaultSlowdowns(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, build, err := schedulers.All().Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	if check != nil {
		p = watched{p, check}
	}
	res, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: slow, Check: true,
		Estimate: func(j sim.JobID) sim.Time { return w.Jobs[j].Work }}, p)
	if err != nil {
		t.Fatalf("%s, seed %d: %v", spec, seed, err)
	}
	var out []sim.Record
	for id := range w.Jobs {
		out = append(out, res.Record(sim.JobID(id)))
		if out[id].State != sim.Done {
			t.Fatalf("%s, seed %d: job %d never ends: %+v", spec, seed, id, out[id])
		}
	}
	return out
}

// watched shows each start.
type watched struct {
	sim.Policy
	check func(*sim.View, *sim.Decision)
}

func (w watched) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = w.Policy.Decide(v, out)
	for i := n; i < len(out); i++ {
		if out[i].Kind == sim.Start {
			w.check(v, &out[i])
		}
	}
	return out
}

// withPlace is a scheduler with a rule of places; las with rounds that are short beside the jobs,
// scores without backfilling.
func withPlace(name, rule string) string {
	switch name {
	case "las":
		return name + ":quantum_s=7," + rule
	case "wfp3", "unicep", "f1", "f2", "f3", "f4": // easy has the backfilling
		return name + ":backfill=none," + rule
	}
	return name + ":" + rule
}

// With consolidate no job is spread over more machines than it needs on an empty cluster, and every
// job ends.
func TestConsolidateSpreadsNoJob(t *testing.T) {
	for _, name := range ordering(t) {
		wide := 0
		for seed := range uint64(12) {
			placed(t, withPlace(name, "place=consolidate"), seed, func(v *sim.View, d *sim.Decision) {
				machines := map[int]bool{}
				for _, g := range d.GPUs {
					machines[v.Topology().Machine(g)] = true
				}
				need, left := 0, len(d.GPUs)
				for _, n := range []int{6, 4, 4, 4, 4, 4} {
					if left > 0 {
						need, left = need+1, left-n
					}
				}
				if len(machines) > need {
					t.Fatalf("%s, seed %d: job %d of %d GPUs on %d machines, needs %d", name, seed, d.Job, len(d.GPUs),
						len(machines), need)
				}
				wide += min(1, need-1)
			})
		}
		if wide < 10 {
			t.Errorf("%s: %d starts on several machines: the cases are too easy", name, wide)
		}
	}
}

// Delays of no time are no rule, but for the reservations of backfilling, which are of GPUs where
// there is a rule and of their number where there is none, and a-srpt, which has a rule of its own
// where no other is given. Delays without end are as in the scheduler consolidate, in its order;
// delays in general as in the scheduler delay where no two jobs ask for the same.
func TestDelaysAtTheirEnds(t *testing.T) {
	for _, name := range ordering(t) {
		for seed := range uint64(12) {
			any := placed(t, withPlace(name, "place=any"), seed, nil)
			if plain := placed(t, strings.TrimRight(withPlace(name, ""), ":,"), seed, nil); !reflect.DeepEqual(any,
				plain) {
				t.Fatalf("%s, seed %d: place=any is not the default", name, seed)
			}
			if name == "a-srpt" {
				any = placed(t, "a-srpt:heavy=inf", seed, nil)
			}
			if name != "easy" && name != "conservative" && name != "slurm" {
				if none := placed(t, withPlace(name, "place=delay,delay_machine_s=0,delay_rack_s=0"), seed,
					nil); !reflect.DeepEqual(any, none) {
					t.Fatalf("%s, seed %d: a delay of 0 s is not place=any", name, seed)
				}
			}
		}
	}
	for seed := range uint64(40) {
		ever := placed(t, "fifo-fit:place=delay,delay_machine_s=inf,delay_rack_s=inf", seed, nil)
		if want := placed(t, "consolidate", seed, nil); !reflect.DeepEqual(ever, want) {
			t.Fatalf("seed %d: fifo-fit with delays without end is not consolidate:\n%+v\n%+v", seed, ever, want)
		}
	}
}

// Two machines of two GPUs, with one free on each from 0.5 s on. Job 3 wants one machine for 3 s
// and then takes both; job 4 passes it by, and job 5, which asks for as much, comes after it. A
// blocking order lets no job pass. On a-srpt's virtual machine job 5 is done before job 3. With
// easy job 4 ends before job 3 can have machine 0.
func TestDelayByHand(t *testing.T) {
	job := func(submit float64, gpus int32, run float64) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	}
	jobs := func() []sim.Job {
		return []sim.Job{job(0, 1, 0.5), job(0, 1, 20), job(0.2, 1, 30), job(1, 2, 5), job(2, 1, 1), job(2, 2, 2)}
	}
	for spec, want := range map[string][]string{
		"fifo-fit:place=delay,delay_machine_s=3,delay_rack_s=9": {"4 on [0] 2s-3s finish",
			"3 on [0 3] 4s-9s finish", "5 on [0 3] 9s-11s finish"},
		"fifo:place=delay,delay_machine_s=3,delay_rack_s=9": {"3 on [0 3] 4s-9s finish",
			"4 on [0] 9s-10s finish", "5 on [0 3] 10s-12s finish"},
		"easy:place=delay,delay_machine_s=3,delay_rack_s=9": {"4 on [0] 2s-3s finish",
			"3 on [0 3] 4s-9s finish", "5 on [0 3] 9s-11s finish"},
		"easy:place=consolidate": {"4 on [0] 2s-3s finish",
			"3 on [0 1] 20s-25s finish", "5 on [0 1] 25s-27s finish"},
		"conservative:place=delay,delay_machine_s=3,delay_rack_s=9": {"4 on [0] 2s-3s finish",
			"3 on [0 3] 4s-9s finish", "5 on [0 3] 9s-11s finish"},
		"conservative:place=consolidate": {"4 on [0] 2s-3s finish",
			"3 on [0 1] 20s-25s finish", "5 on [0 1] 25s-27s finish"},
		"slurm:place=delay,delay_machine_s=3,delay_rack_s=9": {"4 on [0] 2s-3s finish",
			"3 on [0 3] 4s-9s finish", "5 on [0 3] 9s-11s finish"},
		"slurm:place=consolidate": {"4 on [0] 2s-3s finish",
			"3 on [0 1] 20s-25s finish", "5 on [0 1] 25s-27s finish"},
		"slurm:backfill=easy,place=consolidate": {"4 on [0] 2s-3s finish",
			"3 on [0 1] 20s-25s finish", "5 on [0 1] 25s-27s finish"},
		"a-srpt:place=consolidate": {"4 on [0] 2s-3s finish",
			"5 on [0 1] 20s-22s finish", "3 on [0 1] 22s-27s finish"},
		"fifo-fit:place=any": {"3 on [0 3] 1s-6s finish",
			"4 on [0] 6s-7s finish", "5 on [0 3] 7s-9s finish"},
	} {
		_, build, err := schedulers.All().Parse(spec, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		all := append([]string{"0 on [0] 0s-0.5s finish"}, want...)
		end := []string{"1 on [1] 0s-20s finish", "2 on [2] 0.2s-30.2s finish"}
		if strings.HasSuffix(spec, "consolidate") { // after job 1
			all, end = append(all[:2:2], append(end[:1:1], all[2:]...)...), end[1:]
		}
		simtest.ByHand{Shape: [3]int{1, 2, 2}, Jobs: jobs()}.Expect(t, p, append(all, end...)...)
	}
}

// Job 2 wants a machine of four GPUs and one more of a machine that is wholly free. Job 3 could
// have two GPUs beside that one at 2 s and would run on to 22 s, so it waits where job 2 has a
// reservation.
func TestWholeMachinesAreKept(t *testing.T) {
	job := func(submit float64, gpus int32, run float64) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	}
	for _, spec := range []string{"easy:", "easy:fill=shortest,", "conservative:", "slurm:", "slurm:backfill=easy,"} {
		_, build, err := schedulers.All().Parse(spec+"place=consolidate", cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		jobs := []sim.Job{job(0, 4, 10), job(0, 1, 3), job(1, 5, 5), job(2, 2, 20)}
		simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}.Expect(t, p,
			"1 on [4] 0s-3s finish", "0 on [0 1 2 3] 0s-10s finish", "2 on [0 1 2 3 4] 10s-15s finish",
			"3 on [5 6] 10s-30s finish")
	}
}

// Job 2 is to have machine 0 at 10 s. Job 3 would run on on it and waits; job 4, which asks for as
// many GPUs, ends by then and does not wait behind job 3.
func TestShortJobsGoBehindTheFirst(t *testing.T) {
	job := func(submit float64, gpus int32, run float64) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	}
	for _, spec := range []string{"easy:", "easy:fill=score,", "conservative:", "slurm:favor=large,",
		"slurm:backfill=easy,"} {
		_, build, err := schedulers.All().Parse(spec+"place=consolidate", cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		jobs := []sim.Job{job(0, 2, 10), job(0.5, 3, 30), job(1, 4, 5), job(2, 2, 20), job(2, 2, 8)}
		simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}.Expect(t, p, "0 on [0 1] 0s-10s finish",
			"4 on [2 3] 2s-10s finish", "2 on [0 1 2 3] 10s-15s finish",
			"1 on [4 5 6] 0.5s-30.5s finish", "3 on [0 1] 15s-35s finish")
	}
}
