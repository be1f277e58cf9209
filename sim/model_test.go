package sim

import (
	"context"
	"math"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// restOf is the sum of the times from an instant to the end of each job that is in the system then.
func restOf(e *Engine, at Time, present []JobID) (sum float64) {
	for _, j := range present {
		sum += float64(e.Record(j).End - at)
	}
	return sum
}

// With the true work a model ends at each instant as the run does: checkpoints under way, leases,
// timers, shares, watches and periodic checkpoints included. The run is as without the model.
func TestModelGoesOnAsTheRun(t *testing.T) {
	cfg, p := busyCase(t)
	cfg.Outages = nil
	cfg.Workload = jobs(t, cfg.Workload.Jobs[:4]...)
	delete(p.plan, 17*Second) // no machine has failed
	delete(p.plan, 26*Second)
	p.cfg = cfg
	without := p.mustRun(t, 0)

	type mark struct {
		at      Time
		present []JobID
		sum     float64
	}
	var marks []mark
	var m Engine
	player := p
	p.look = func(v *View) {
		if v.Now() < Second {
			return // not all jobs have come
		}
		if err := m.Follow(v, func(j JobID) Time { return cfg.Workload.Jobs[j].Work }); err != nil {
			t.Fatal(err)
		}
		sum, took, err := m.PlayOut(player, 1000)
		if err != nil || took < 1 {
			t.Fatalf("at %v: %v after %d decisions", v.Now(), err, took)
		}
		marks = append(marks, mark{v.Now(), present(v), sum})
	}
	with := p.mustRun(t, 0)
	same(t, "the run beside a model", with.tape, without.tape...)
	if len(marks) < 15 {
		t.Fatalf("%d instants, expected 15 or more", len(marks))
	}
	for _, k := range marks {
		if want := restOf(with.e, k.at, k.present); k.sum != want {
			t.Errorf("at %v: the model's sum is %v, the run's %v", k.at, k.sum, want)
		}
	}
}

// With other work a job of the model has done what the run's has, whether it runs, waits after a run
// or writes a checkpoint.
func TestModelHasTheProgressOfTheRun(t *testing.T) {
	cfg, p := busyCase(t)
	cfg.Outages = nil
	cfg.Workload = jobs(t, cfg.Workload.Jobs[:4]...)
	delete(p.plan, 17*Second) // no machine has failed
	delete(p.plan, 26*Second)
	p.cfg, p.know = cfg, know.Done
	var m Engine
	waited := 0
	p.look = func(v *View) {
		for _, factor := range []Time{0, 3} {
			if err := m.Follow(v, func(j JobID) Time { return factor * cfg.Workload.Jobs[j].Work }); err != nil {
				t.Fatal(err)
			}
			for _, j := range present(v) {
				want, got := v.Run(j).Done(), m.view.Run(j).Done()
				if v.Run(j).State() == Waiting && want > 0 {
					waited++
				}
				if math.Abs(got-want) > 1e-3 {
					t.Errorf("at %v: job %d, which is %v, has done %v in the model with %d times its work, %v in the run",
						v.Now(), j, v.Run(j).State(), got, factor, want)
				}
			}
		}
	}
	p.mustRun(t, 0)
	if waited == 0 {
		t.Error("no job waits after a run")
	}
}

// present lists the jobs in the system, ascending.
func present(v *View) (all []JobID) {
	for j := range JobID(v.NumJobs()) {
		if s := v.Run(j).State(); s == Waiting || s == Running || s == Draining {
			all = append(all, j)
		}
	}
	return all
}

// fill starts the first waiting job that fits on the first free GPUs.
func fill() script {
	return script{f: func(v *View, out []Decision) []Decision {
		var gpus []cluster.GPU
		for g := range cluster.GPU(v.Topology().GPUs()) {
			if v.Free().Has(g) {
				gpus = append(gpus, g)
			}
		}
		for _, j := range present(v) {
			if n := v.Job(j).GPUs(); v.Run(j).State() == Waiting && n <= len(gpus) {
				out, gpus = append(out, begin(j, gpus[:n]...)), gpus[n:]
			}
		}
		return out
	}}
}

// A model has the work that it is given and what the run has done: jobs 0 and 1 have worked for 10 s,
// which is more than job 1 is given, job 2 waits, and job 3 has not come.
func TestModelHasTheWorkThatItIsGiven(t *testing.T) {
	work := map[JobID]Time{0: 20 * Second, 1: 4 * Second, 2: 5 * Second}
	var m Engine
	asked := false
	look := func(v *View) {
		if v.Now() != 10*Second {
			return
		}
		asked = true
		for range 2 { // the second as the first
			if err := m.Follow(v, func(j JobID) Time { return work[j] }); err != nil {
				t.Fatal(err)
			}
			// job 1 ends a microsecond after 10 s, job 2 starts on its GPU and ends 5 s later, job 0 at 20 s
			sum, took, err := m.PlayOut(fill(), 100)
			if want := float64(10*Second + 5*Second + 1 + 1); err != nil || sum != want || took != 4 {
				t.Errorf("sum %v after %d decisions, %v; expected %v after 4", sum, took, err, want)
			}
		}
		if err := m.Follow(v, func(j JobID) Time { return work[j] }); err != nil {
			t.Fatal(err)
		}
		if sum, took, err := m.PlayOut(fill(), 3); err != nil || !math.IsInf(sum, 1) || took != 3 {
			t.Errorf("cut: sum %v after %d decisions, %v; expected +Inf after 3", sum, took, err)
		}
		if err := m.Follow(v, func(j JobID) Time { return work[j] }); err != nil {
			t.Fatal(err)
		}
		idle := script{f: func(_ *View, out []Decision) []Decision { return out }}
		if sum, _, err := m.PlayOut(idle, 100); err != nil || !math.IsInf(sum, 1) {
			t.Errorf("idle: sum %v, %v; expected +Inf: job 2 never starts", sum, err)
		}
	}
	g := fill()
	p := script{know: know.Nothing, f: func(v *View, out []Decision) []Decision { look(v); return g.f(v, out) }}
	cfg := Config{Topology: topology(t, 1, 1, 2, 1), Speed: counting{}, Check: true, Workload: jobs(t,
		Job{GPUs: 1, Work: 30 * Second}, Job{GPUs: 1, Work: 40 * Second},
		Job{GPUs: 1, Work: 7 * Second, Submit: 10 * Second}, Job{GPUs: 1, Work: Second, Submit: 11 * Second})}
	if _, err := Run(context.Background(), cfg, p); err != nil {
		t.Fatal(err)
	}
	if !asked {
		t.Error("the model was never asked")
	}
}

// A model of speeds that it cannot foresee, or of jobs that are not held, is an error that states why.
func TestModelRefuses(t *testing.T) {
	base := func() Config {
		return Config{Topology: topology(t, 1, 1, 2, 1), Speed: counting{}, Workload: jobs(t, Job{GPUs: 1, Work: Second})}
	}
	coupled, progressive, streamed := base(), base(), base()
	coupled.Speed = &company{}
	progressive.Speed = slowing()
	streamed.Stream, streamed.Workload = streamed.Workload.Stream(), nil
	for want, cfg := range map[string]Config{"who else runs": coupled, "its progress": progressive, "streamed": streamed} {
		var got error
		p := script{f: func(v *View, out []Decision) []Decision {
			got = new(Engine).Follow(v, func(JobID) Time { return Second })
			if v.Now() == 0 {
				out = append(out, begin(0, 0))
			}
			return out
		}}
		if _, err := Run(context.Background(), cfg, p); err != nil {
			t.Fatal(err)
		}
		if got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("the error is %v, expected one with %q", got, want)
		}
	}
}

// Following anew needs no memory once warm.
func TestModelAllocatesNothing(t *testing.T) {
	cfg, p := busyCase(t)
	cfg.Outages, cfg.Check = nil, false
	var m Engine
	runs := 0
	work := func(j JobID) Time { return cfg.Workload.Jobs[j].Work * 2 }
	p.look = func(v *View) {
		if v.Now() != 9*Second {
			return
		}
		runs++
		again := func() {
			if err := m.Follow(v, work); err != nil {
				t.Fatal(err)
			}
		}
		again()
		if n := testing.AllocsPerRun(20, again); n != 0 {
			t.Errorf("%v allocations, expected none", n)
		}
	}
	p.plan[9*Second] = nil
	delete(p.plan, 17*Second)
	p.cfg = cfg
	p.cfg.Workload = jobs(t, cfg.Workload.Jobs...)
	p.mustRun(t, 0)
	if runs == 0 {
		t.Error("nothing was measured")
	}
}
