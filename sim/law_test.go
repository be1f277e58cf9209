package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim/cluster"
)

// score is what was decided in a run, by instant, and what became of each job of the trace by its
// name.
type score struct {
	cfg    Config
	faults Schedule
	plan   map[Time][]Decision
	lives  map[string]string
}

// lives gives what became of each job, times divided by k.
func lives(e *Engine, w *Workload, k Time) map[string]string {
	m := map[string]string{}
	for j := range w.Jobs {
		r := e.Record(JobID(j))
		if r.Start == Never { // of a job that never ran
			r.Start = -k
		}
		m[w.Jobs[j].ID] = fmt.Sprint(r.State, r.Start/k, r.End/k, r.Queue/k, r.Run/k, r.Overhead/k, r.Lost/k,
			r.LostRun/k, r.Preemptions, r.Migrations, r.Faults, r.Allocations, r.ByLevel)
	}
	return m
}

// compose runs a case of the twin with random decisions and keeps them.
func compose(t *testing.T, seed uint64) score {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 78))
	s := score{plan: map[Time][]Decision{}}
	s.cfg, s.faults = drawTwin(t, r)
	e, err := Run(context.Background(), s.cfg, script{f: func(v *View, out []Decision) []Decision {
		if v.Now()%Second == 0 {
			for j := range JobID(v.NumJobs()) {
				out = whim(v, r, j, out)
			}
			s.plan[v.Now()] = slices.Clone(out)
		}
		return append(out, Decision{Kind: WakeAt, At: (v.Now()/Second + 1) * Second})
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.lives = lives(e, s.cfg.Workload, 1)
	return s
}

// again plays the score under a law: a changed configuration, the decisions of an instant as the
// law changes them, a look at every multiple of step beside the decisions, and times k as long.
func (s score) again(t *testing.T, law string, seed uint64, cfg Config, change func(*Decision), step, k Time) {
	t.Helper()
	e, err := Run(context.Background(), cfg, script{f: func(v *View, out []Decision) []Decision {
		if v.Now()%k == 0 {
			for _, d := range s.plan[v.Now()/k] {
				change(&d)
				out = append(out, d)
			}
		}
		unit := k * Second
		return append(out, Decision{Kind: WakeAt, At: min((v.Now()/step+1)*step, (v.Now()/unit+1)*unit)})
	}})
	if err != nil {
		t.Fatalf("%s, seed %d: %v", law, seed, err)
	}
	got := lives(e, cfg.Workload, k)
	for id, want := range s.lives {
		if got[id] != want {
			t.Fatalf("%s, seed %d: job %s has the life %s, expected %s", law, seed, id, got[id], want)
		}
	}
}

// The kernel's laws: it does not matter how often one looks, what the jobs and the GPUs are called,
// nor in which unit time is measured.
func TestKernelLaws(t *testing.T) {
	for seed := range uint64(60) {
		s := compose(t, seed)
		same := func(*Decision) {}
		s.again(t, "looking", seed, s.cfg, same, tick, 1)
		s.again(t, "looking at odd times", seed, s.cfg, same, 999_983, 1)

		cfg := s.cfg // every name is another, and the order of jobs that arrive together turns round
		renamed := slices.Clone(s.cfg.Workload.Jobs)
		for i := range renamed {
			renamed[i].ID = fmt.Sprint(len(renamed) - 1 - i)
		}
		cfg.Workload = jobs(t, renamed...)
		number := map[string]JobID{}
		for j := range cfg.Workload.Jobs {
			number[cfg.Workload.Jobs[j].ID] = JobID(j)
		}
		names := score{plan: s.plan, lives: map[string]string{}}
		for j, old := range s.cfg.Workload.Jobs {
			names.lives[fmt.Sprint(len(renamed)-1-j)] = s.lives[old.ID]
		}
		names.again(t, "names of jobs", seed, cfg, func(d *Decision) {
			if d.Kind != WakeAt {
				d.Job = number[fmt.Sprint(len(renamed)-1-int(d.Job))]
			}
		}, Second, 1)

		cfg = s.cfg // the other way round, slot by slot and within
		mirrored := slices.Clone(s.faults)
		for i := range mirrored {
			mirrored[i].GPU = 7 - mirrored[i].GPU
		}
		cfg.Outages = mirrored.Source()
		s.again(t, "names of GPUs", seed, cfg, func(d *Decision) {
			var gpus []cluster.GPU
			for _, g := range slices.Backward(d.GPUs) {
				gpus = append(gpus, 7-g)
			}
			d.GPUs = gpus
		}, Second, 1)

		s.again(t, "unit of time", seed, slower(t, s, 3), func(d *Decision) {
			d.Lease, d.Delay, d.Bound = 3*d.Lease, 3*d.Delay, 3*d.Bound
		}, 3*Second, 3)
	}
}

// slower is a case in which everything takes k times as long.
func slower(t *testing.T, s score, k Time) Config {
	t.Helper()
	cfg, f := s.cfg, float64(k)
	js := slices.Clone(cfg.Workload.Jobs)
	for i := range js {
		js[i].Work, js[i].Submit = k*js[i].Work, k*js[i].Submit
	}
	cfg.Workload = jobs(t, js...)
	for _, c := range []*Cost{&cfg.Costs.Start, &cfg.Costs.Checkpoint, &cfg.Costs.Restore, &cfg.Costs.Migrate,
		&cfg.Costs.Rescale, &cfg.Costs.Renew} {
		c.FixedS, c.PerGPUS = c.FixedS*f, c.PerGPUS*f
	}
	cfg.Costs.CheckpointEveryS *= f
	faults := slices.Clone(s.faults)
	for i := range faults {
		faults[i].At *= k
	}
	cfg.Outages = faults.Source()
	return cfg
}
