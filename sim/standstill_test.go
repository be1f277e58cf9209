package sim

import (
	"context"
	"strings"
	"testing"

	"tarry/sim/cluster"
)

// ticking decides at each second what turn states, and sets the next timer.
func ticking(turn func(v *View, out []Decision) []Decision) script {
	return script{f: func(v *View, out []Decision) []Decision {
		out = turn(v, out)
		return append(out, Decision{Kind: WakeAt, At: v.Now() + Second})
	}}
}

// opening starts the first jobs on one GPU each, with a knob, and does nothing else.
func opening(n int, k Knobs, lease Time) func(v *View, out []Decision) []Decision {
	return func(v *View, out []Decision) []Decision {
		for j := range JobID(n) {
			if v.Now() == 0 {
				out = append(out, Decision{Kind: Start, Job: j, GPUs: on(cluster.GPU(j)), Knobs: k, Lease: lease})
			}
		}
		return out
	}
}

// rotate gives one GPU to the job that has waited, every second.
func rotate(k Knobs) func(v *View, out []Decision) []Decision {
	return func(v *View, out []Decision) []Decision {
		if v.Draining() > 0 {
			return out
		}
		turn := JobID(v.Now() / Second % 2)
		if v.Run(turn).State() == Done {
			turn = 1 - turn
		}
		if v.Run(turn).State() == Done {
			return out
		}
		for _, j := range v.Running() {
			out = append(out, Decision{Kind: Preempt, Job: j})
			if v.Run(j).CheckpointTime() > 0 {
				return out
			}
		}
		return append(out, Decision{Kind: Start, Job: turn, GPUs: on(0), Knobs: k})
	}
}

// renewing gives leases that end within the pause of the renewal.
func renewing(v *View, out []Decision) []Decision {
	if v.Now() == 0 {
		return append(out, begin(0, 0))
	}
	return append(out, Decision{Kind: Renew, Lease: Second})
}

// endless is a source of outages of one GPU, a day apart.
type endless struct{ n Time }

func (s *endless) Next() (Outage, bool) {
	s.n++
	return Outage{At: s.n / 2 * 86400 * Second, GPU: 7, Up: s.n%2 == 1}, true
}
func (s *endless) Clone() Outages { c := *s; return &c }

// A run in which timers, leases or rotations alone are left, and no job works, ends with an error
// that names jobs.
func TestStandstill(t *testing.T) {
	stall := Knobs{Batch: stalls}
	for _, c := range []struct {
		name, want string
		cfg        Config
		turn       func(v *View, out []Decision) []Decision
	}{
		{"timers",
			`at 32767s: 2 jobs run at rate 0, among them job "0", and no job has done any work since 16383s, over 16384 instants or more ("0" of model "vgg" on 1 GPUs, "1" on 1 GPUs), expected a policy`,
			Config{}, opening(2, stall, 0)},
		{"rotation", `among them job "1", and no job has done any work since 16383s`, Config{}, rotate(stall)},
		{"rotation with checkpoints", `jobs run at rate 0`, Config{Costs: Costs{Checkpoint: Cost{FixedS: 3},
			Restore: Cost{FixedS: 1}}}, rotate(stall)},
		{"pauses cut short", `every pause of the 1 jobs that hold GPUs, among them job "`,
			Config{Costs: Costs{Start: Cost{FixedS: 5}, Restore: Cost{FixedS: 5}}}, rotate(Knobs{})},
		{"pauses prolonged", `every pause of the 1 jobs that hold GPUs, among them job "0"`,
			Config{Costs: Costs{Start: Cost{FixedS: 5}, Renew: Cost{FixedS: 2}}}, renewing},
		{"endless outages", `2 jobs run at rate 0`, Config{Outages: &endless{}}, opening(2, stall, 0)},
	} {
		if c.name == "endless outages" && testing.Short() {
			continue
		}
		c.cfg.Workload, c.cfg.Topology, c.cfg.Speed = jobs(t, Job{GPUs: 1, Work: 9 * Second, Model: "vgg"},
			Job{GPUs: 1, Work: 9 * Second}), topology(t, 1, 1, 8, 1), stalling{}
		turn := ticking(c.turn)
		if c.name == "endless outages" { // an hour between instants
			turn = script{f: func(v *View, out []Decision) []Decision {
				return append(c.turn(v, out), Decision{Kind: WakeAt, At: v.Now() + 3600*Second})
			}}
		}
		e, err := Run(context.Background(), c.cfg, turn)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v after %d events, expected %q", c.name, err, e.Events(), c.want)
		}
	}
}

// What ends a standstill is waited for: an arrival, a repair, the end of a pause, the horizon, a
// job that works however slowly.
func TestNoStandstill(t *testing.T) {
	const long = 3 * patience * Second
	stall := Knobs{Batch: stalls}
	first := Job{GPUs: 1, Work: 9 * Second}
	rescue := func(v *View, out []Decision) []Decision { // what stalls at first runs once something else happens
		for _, ev := range v.Events() {
			if ev.Kind == Arrive && ev.Job == 1 {
				out = append(out, begin(1, 1), Decision{Kind: Tune, Knobs: Knobs{Batch: 1}})
			}
			if ev.Kind == Fail && ev.Job == 0 {
				out = append(out, begin(0, 1))
			}
		}
		return opening(1, stall, 0)(v, out)
	}
	for name, c := range map[string]struct {
		cfg  Config
		turn func(v *View, out []Decision) []Decision
		jobs []Job
		end  Time
	}{
		"an arrival": {Config{}, rescue, []Job{first, {GPUs: 1, Work: 9 * Second, Submit: long}}, long + 9*Second},
		"an outage":  {Config{Outages: Schedule{{At: long, GPU: 0}}.Source()}, rescue, []Job{first}, long + 9*Second},
		"a pause": {Config{Costs: Costs{Start: Cost{FixedS: long.Seconds()}}}, opening(1, Knobs{}, 0), []Job{first},
			long + 9*Second},
		"a horizon": {Config{Until: long}, opening(1, stall, 0), []Job{first}, long},
		"slow work": {Config{}, opening(1, Knobs{}, 0), []Job{{GPUs: 1, Work: long}}, long},
		"preempted after a little work": {Config{Costs: Costs{Start: Cost{FixedS: 0.999}, Restore: Cost{FixedS: 0.999}}},
			rotate(Knobs{}), []Job{{GPUs: 1, Work: 20 * Second}, {GPUs: 1, Work: 20 * Second}}, 40 * 1000 * Second},
		"beside": {Config{}, opening(2, Knobs{}, Second),
			[]Job{{GPUs: 1, Work: long}, {GPUs: 1, Work: long, Submit: 0}}, long},
	} {
		c.cfg.Workload, c.cfg.Topology, c.cfg.Speed = jobs(t, c.jobs...), topology(t, 1, 1, 2, 1), stalling{}
		if e, err := Run(context.Background(), c.cfg, ticking(c.turn)); err != nil || e.Now() != c.end {
			t.Errorf("%s: ended at %v with error %v, expected %v", name, e.Now(), err, c.end)
		}
	}
}

// The count is part of a snapshot: a restored run gives up at the same instant.
func TestStandstillSnapshot(t *testing.T) {
	cfg := Config{Workload: jobs(t, Job{GPUs: 1, Work: 9 * Second}), Topology: topology(t, 1, 1, 1, 1),
		Speed: stalling{}}
	p := ticking(opening(1, Knobs{Batch: stalls}, 0))
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for range patience / 3 {
		v, _, err := e.Next()
		if err == nil {
			err = e.Apply(p.Decide(v, nil))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := e.Snapshot()
	other, err := New(cfg)
	if err == nil {
		err = other.Restore(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b := e.Drive(context.Background(), p, nil), other.Drive(context.Background(), p, nil)
	if a == nil || b == nil || a.Error() != b.Error() {
		t.Errorf("the run ends with %v, the restored one with %v", a, b)
	}
}
