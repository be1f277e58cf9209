package lucid

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

// watched is the policy, held at every instant to what it promises: no job outside the profiler is
// preempted, and no GPU has more than two jobs.
type watched struct {
	*Policy
	t    *testing.T
	seen map[string]int
}

func (w watched) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	was := slices.Clone(w.pool.in) // a machine may be given back at the instant at which its last job is stopped
	out = w.Policy.Decide(v, out)
	for _, d := range out {
		switch d.Kind {
		case sim.Preempt:
			w.seen["profiled"]++
			for _, g := range v.Run(d.Job).Held() {
				if !was[v.Topology().Machine(g)] {
					w.t.Fatalf("job %d is preempted on GPU %d of the main pool", d.Job, g)
				}
			}
		case sim.Start:
			if d.ShareMilli == 500 {
				w.seen["joined"]++
			}
		case sim.Tune, sim.WakeAt:
		default:
			w.t.Fatalf("a decision to %v job %d", d.Kind, d.Job)
		}
	}
	for g := range cluster.GPU(v.Topology().GPUs()) {
		if n := v.Sharers(g); n > 2 {
			w.t.Fatalf("GPU %d has %d jobs", g, n)
		}
	}
	return out
}

// crowd are jobs of a few models, on machines whose GPUs have 100 MiB.
func crowd(r *rand.Rand) (cluster.Spec, []sim.Job) {
	var jobs []sim.Job
	at := 0.0
	for i := range 30 + r.IntN(60) {
		at += r.Float64() * 12
		j := job(string('a'+rune(r.IntN(4))), at, []int32{1, 1, 2, 4, 6, 8}[r.IntN(6)], 1+r.Float64()*200)
		j.ID, j.GPUMiB, j.GPUUtilFrac = fmt.Sprintf("%03d", i), int32(10+r.IntN(60)), 0.1+0.8*r.Float64()
		jobs = append(jobs, j)
	}
	spec := cluster.Uniform(2, 3, 4, 1)
	spec.Racks[0][0].GPUMiB, spec.Racks[1][0].GPUMiB = 100, 100
	return spec, jobs
}

func TestPromises(t *testing.T) {
	for _, settings := range []string{"profile_s=20,step_s=20,few=0.5",
		"profile_s=50,sharing=always,scores=usage,profile_machines=1", "profiler=ideal,profile_s=40,sharing=always",
		"profiler=off,sharing=always,prefer=idle"} {
		seen := map[string]int{}
		for seed := range uint64(60) {
			spec, jobs := crowd(rand.New(rand.NewPCG(seed, 4)))
			w, err := sim.NewWorkload("crowd", jobs)
			if err != nil {
				t.Fatal(err)
			}
			top, err := cluster.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			cfg := sim.Config{Workload: w, Topology: top, Speed: beside{"aa": 0.96, "ab": 0.97, "ba": 0.9, "bc": 0.8,
				"cc": 0.86, "cd": 0.86, "dd": 0.5}, Check: true}
			if seed%2 == 0 {
				cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 2}, Restore: sim.Cost{FixedS: 3}}
			}
			e, err := sim.Run(context.Background(), cfg, watched{policy(t, settings)().(*Policy), t, seen})
			if err != nil {
				t.Fatalf("%s, seed %d: %v", settings, seed, err)
			}
			for i := range w.Jobs {
				if r := e.Record(sim.JobID(i)); r.State != sim.Done || r.OutOfMemory != 0 || r.Preemptions > 1 {
					t.Fatalf("%s, seed %d: job %d: %+v", settings, seed, i, r)
				}
			}
		}
		if native := policy(t, settings)().(*Policy).cfg.profiler == "native"; seen["joined"] < 200 || native &&
			seen["profiled"] < 500 {
			t.Errorf("%s: only %v: the cases are too easy", settings, seen)
		}
	}
}

// Without a profiler and sharing it is qssf that insists on consolidation, where no job is a
// machine and a part of one.
func TestAloneIsQSSF(t *testing.T) {
	for seed := range uint64(60) {
		spec, jobs := crowd(rand.New(rand.NewPCG(seed, 4)))
		jobs = slices.DeleteFunc(jobs, func(j sim.Job) bool { return j.GPUs == 6 })
		w, err := sim.NewWorkload("crowd", jobs)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		qssf, err := queueing.NewQSSF(param.Parse("qssf", "place=consolidate"), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		var a, b simtest.Tape
		for p, tape := range map[sim.Policy]*simtest.Tape{policy(t, "profiler=off,sharing=never")(): &a, qssf: &b} {
			if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: beside{},
				Check: true}, p, tape); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(a.Lines, b.Lines) {
			t.Fatalf("seed %d: got\n%q\nqssf\n%q", seed, a.Lines, b.Lines)
		}
	}
}

// Memory: two of 50 MiB do not fit a GPU of 100, since it must stay below; 49 do.
func TestMemory(t *testing.T) {
	for mib, want := range map[int32]sim.Time{50: 100 * sim.Second, 49: sim.Second} {
		a, b := job("a", 0, 1, 100), job("a", 1, 1, 50)
		a.ID, b.ID, a.GPUMiB, b.GPUMiB = "0", "1", 50, mib
		w, err := sim.NewWorkload("two", []sim.Job{a, b})
		if err != nil {
			t.Fatal(err)
		}
		spec := cluster.Uniform(1, 1, 1, 1)
		spec.Racks[0][0].GPUMiB = 100
		top, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: beside{}, Check: true},
			policy(t, "profiler=off,sharing=always")())
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Record(1).Start; got != want {
			t.Errorf("%d MiB: starts at %v, want %v", mib, got, want)
		}
	}
}
