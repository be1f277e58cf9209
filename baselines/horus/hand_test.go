package horus

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

func TestCost(t *testing.T) {
	for name, c := range map[string]struct {
		cfg             config
		now, task       float64
		used, need, cap float64
		jobs            int
		want            float64
	}{
		// 30 per cent short of full; 6 of 16 GiB.
		"below":      {config{over: 1.6}, 0.4, 0.3, 4096, 2048, 16384, 1, 1.3*0.375 + 0.3 + 1},
		"full":       {config{over: 1.6}, 0.7, 0.3, 0, 0, 0, 1, 1},
		"over":       {config{over: 1.6}, 0.8, 0.4, 0, 0, 0, 2, 0.32 + 2},
		"empty":      {config{over: 1.6}, 0, 0.2, 0, 4096, 16384, 0, 1.3*0.25 + 0.8},
		"as gandiva": {config{gandiva: true}, 0.4, 0.3, 0, 0, 0, 1, 0.4 + 1},
	} {
		if got := c.cfg.of(c.now, c.task, c.used, c.need, c.cap, c.jobs); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// whole is a speed model in which sharing costs nothing.
type whole struct{}

func (whole) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

func run(t *testing.T, settings string, spec cluster.Spec, jobs []sim.Job, obs ...sim.Observer) *sim.Engine {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprintf("%03d", i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: whole{}, Check: true},
		policy(t, settings)(), obs...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func job(submit float64, gpus int32, run float64, mib int32, use float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run), GPUMiB: mib,
		GPUUtilFrac: use}
}

func TestByHand(t *testing.T) {
	with := func(racks, machines, gpus int, mib int64) cluster.Spec {
		s := cluster.Uniform(racks, machines, gpus, 1)
		for i := range s.Racks {
			s.Racks[i][0].GPUMiB = mib
		}
		return s
	}
	for name, c := range map[string]struct {
		settings string
		spec     cluster.Spec
		jobs     []sim.Job
		want     []string
	}{
		// Job 2 comes to job 1, where 0.6 + 0.4 fill the GPU; beside job 0 it would be 10 per cent
		// too much. Job 3 has too much memory for either.
		"fills": {"", with(1, 1, 2, 100), []sim.Job{job(0, 1, 20, 40, 0.7), job(0, 1, 20, 40, 0.6),
			job(1, 1, 20, 40, 0.4), job(2, 1, 5, 61, 0.1)},
			[]string{"1 on [1] 0s-1s tune", "0 on [0] 0s-20s finish", "1 on [1] 1s-20s finish", "2 on [1] 1s-20s tune",
				"2 on [1] 20s-21s finish",
				"3 on [0] 20s-25s finish"}},
		// By the utilisation before it comes, too, job 2 is better off beside job 1.
		"gandiva": {"cost=gandiva", with(1, 1, 2, 0), []sim.Job{job(0, 1, 9, 0, 0.7), job(0, 1, 9, 0, 0.2),
			job(1, 1, 8, 0, 0.9)},
			[]string{"1 on [1] 0s-1s tune", "0 on [0] 0s-9s finish", "1 on [1] 1s-9s finish", "2 on [1] 1s-9s finish"}},
		// The first of two is passed over by job 2, which fits; job 3 is not among the next two.
		"two ahead": {"ahead=2,most=1", with(1, 1, 2, 0), []sim.Job{job(0, 1, 9, 0, 0), job(1, 2, 9, 0, 0),
			job(2, 2, 9, 0, 0), job(3, 1, 9, 0, 0)},
			[]string{"0 on [0] 0s-9s finish", "1 on [0 1] 9s-18s finish", "2 on [0 1] 18s-27s finish",
				"3 on [0] 27s-36s finish"}},
		"three ahead": {"ahead=3,most=1", with(1, 1, 2, 0), []sim.Job{job(0, 1, 9, 0, 0), job(1, 2, 9, 0, 0),
			job(2, 2, 9, 0, 0), job(3, 1, 9, 0, 0)},
			[]string{"0 on [0] 0s-9s finish", "3 on [1] 3s-12s finish", "1 on [0 1] 12s-21s finish",
				"2 on [0 1] 21s-30s finish"}},
		// Machine 0 is the cheapest seed, and has one free GPU; machine 1 holds both tasks.
		"one node": {"most=1", with(1, 2, 2, 0), []sim.Job{job(0, 1, 9, 0, 0), job(1, 2, 9, 0, 0)},
			[]string{"0 on [0] 0s-9s finish", "1 on [2 3] 1s-10s finish"}},
		// From machine 1 the plan continues in its rack, from machine 2 too: of two on two nodes
		// the first.
		"nearest rack": {"most=1", with(2, 2, 1, 0), []sim.Job{job(0, 1, 9, 0, 0), job(1, 2, 9, 0, 0)},
			[]string{"0 on [0] 0s-9s finish", "1 on [1 2] 1s-10s finish"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got simtest.Tape
			run(t, c.settings, c.spec, c.jobs, &got)
			if !slices.Equal(got.Lines, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got.Lines, c.want)
			}
		})
	}
}

// drawn are jobs that crowd two racks of two machines.
func drawn(r *rand.Rand) []sim.Job {
	var jobs []sim.Job
	at := 0.0
	for range 20 + r.IntN(40) {
		at += r.Float64() * 4
		jobs = append(jobs, job(at, []int32{1, 1, 2, 3, 5}[r.IntN(5)], 1+r.Float64()*60, int32(10+r.IntN(80)),
			0.1+0.9*r.Float64()))
	}
	return jobs
}

// With exact predictions no job runs out of memory; with wrong ones some do, are measured then, and
// every job ends.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		settings string
		out      bool
	}{{"", false}, {"most=100", false}, {"error=0.8", true}} {
		outs := 0
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 9))
			spec := cluster.Uniform(2, 2, 2, 1)
			spec.Racks[0][0].GPUMiB, spec.Racks[1][0].GPUMiB = 100, 160
			jobs := drawn(r)
			e := run(t, c.settings, spec, jobs)
			for i := range jobs {
				rec := e.Record(sim.JobID(i))
				if outs += int(rec.OutOfMemory); rec.State != sim.Done {
					t.Fatalf("%s, seed %d: job %d is %v", c.settings, seed, i, rec.State)
				}
			}
		}
		if (outs > 0) != c.out {
			t.Errorf("%s: %d times out of memory", c.settings, outs)
		}
	}
}
