package sim

import (
	"strings"
	"testing"
)

// A fault returns its job to the last checkpoint. One job on one GPU of machine 0, 10 s of work;
// machine 0 is down from fail to repair and the job starts again at 20 s on the other machine
// unless the plan states otherwise.
func TestLostWork(t *testing.T) {
	type plan = map[Time][]Decision
	down := func(at Time) []Outage { return []Outage{{At: at, Machine: 0, GPU: -1}} }
	for _, c := range []struct {
		name  string
		costs Costs
		fails []Outage
		plan  plan
		want  string
	}{
		{"all of it", Costs{}, down(7 * Second), plan{0: {begin(0, 0)}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 30s queue 13s run 17s overhead 0s lost 7s in 7s"},
		// Checkpoints every 3 s of running, which begins at 1 s: at 4 and 7 s; 2 s are lost and 4
		// left.
		{"since the periodic checkpoint", Costs{Start: Cost{FixedS: 1}, CheckpointEveryS: 3}, down(9 * Second),
			plan{0: {begin(0, 0)}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 24s queue 11s run 12s overhead 1s lost 2s in 2s"},
		{"nothing at the checkpoint itself", Costs{CheckpointEveryS: 3}, down(6 * Second),
			plan{0: {begin(0, 0)}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 24s queue 14s run 10s overhead 0s lost 0s in 0s"},
		{"since a preemption", Costs{}, down(7 * Second), plan{0: {begin(0, 0)}, 4 *
			Second: {{Kind: Preempt}, begin(0, 0)}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 26s queue 13s run 13s overhead 0s lost 3s in 3s"},
		{"since a migration", Costs{}, down(7 * Second), plan{0: {begin(0, 1)}, 4 *
			Second: {{Kind: Migrate, GPUs: on(0)}}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 26s queue 13s run 13s overhead 0s lost 3s in 3s"},
		{"not since a renewal", Costs{}, down(7 * Second), plan{0: {begin(0, 0)}, 4 * Second: {{Kind: Renew}}, 20 *
			Second: {begin(0, 1)}},
			"done: start 0s end 30s queue 13s run 17s overhead 0s lost 7s in 7s"},
		// The checkpoint of the preemption holds the GPUs from 4 to 9 s; what was saved is not
		// lost, but 3 s of pause were spent.
		{"nothing while the checkpoint is written", Costs{Checkpoint: Cost{FixedS: 5}}, down(7 * Second),
			plan{0: {begin(0, 0)}, 4 * Second: {{Kind: Preempt}}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 26s queue 13s run 10s overhead 3s lost 0s in 0s"},
		// The restart of 2 s ends early at 7 s: overhead 2 + 1 + 2.
		{"nothing in a pause", Costs{Start: Cost{FixedS: 2}, Restore: Cost{FixedS: 2}}, down(7 * Second),
			plan{0: {begin(0, 0)}, 6 * Second: {{Kind: Preempt}, begin(0, 0)}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 28s queue 13s run 10s overhead 5s lost 0s in 0s"},
		// 5 s lost; a second run of 4 s is lost as well.
		{"twice", Costs{}, []Outage{{At: 5 * Second, Machine: 0, GPU: 0}, {At: 10 * Second, Machine: 1, GPU: 0},
			{At: 11 * Second, Machine: 1, GPU: 0, Up: true}},
			plan{0: {begin(0, 0)}, 6 * Second: {begin(0, 1)}, 20 * Second: {begin(0, 1)}},
			"done: start 0s end 30s queue 11s run 19s overhead 0s lost 9s in 9s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play{cfg: Config{Topology: topology(t, 1, 2, 1, 1), Costs: c.costs,
				Outages: Schedule(c.fails).Source()}, plan: c.plan}
			o, err := p.run(t, 0, Job{GPUs: 1, Work: 10 * Second})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "life", []string{o.life(0)}, c.want)
		})
	}
}

// Who is struck by what: a machine, one GPU of it, both at once, and what never failed.
func TestOutages(t *testing.T) {
	p := play{
		cfg: Config{Topology: topology(t, 1, 2, 2, 1), Outages: Schedule{
			{At: Second, Machine: 1, GPU: -1, Up: true}, // never failed
			{At: 2 * Second, Machine: 0, GPU: 1}, {At: 3 * Second, Machine: 0, GPU: -1},
			{At: 4 * Second, Machine: 0, GPU: 1, Up: true},
			{At: 5 * Second, Machine: 0, GPU: -1, Up: true},
		}.Source()},
		plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 1), begin(2, 2)}},
	}
	var usable []int
	p.look = func(v *View) { usable = append(usable, v.Usable()) }
	ten := Job{GPUs: 1, Work: 10 * Second}
	o, err := p.run(t, 0, ten, ten, ten)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "events", o.events, "0s arrive 0", "0s arrive 1", "0s arrive 2", "1s repair", "2s fail 1", "2s fail",
		"3s fail 0", "3s fail",
		"4s repair", "5s repair", "10s finish 2")
	for i, want := range []int{4, 4, 3, 2, 2, 4, 4} { // at 4 s the GPU is repaired, and its machine is not
		if usable[i] != want {
			t.Errorf("usable GPUs %v, at the %d-th instant expected %d", usable, i, want)
		}
	}
}

// All jobs that share a failed GPU are struck, and their neighbours on other GPUs of the machine
// are not.
func TestFaultOfASharedGPU(t *testing.T) {
	half := Job{GPUs: 1, ShareMilli: 500, Work: 4 * Second}
	p := play{cfg: Config{Outages: Schedule{{At: 2 * Second, Machine: 0, GPU: 0}}.Source()},
		plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0), begin(2, 1)}}}
	o := p.mustRun(t, 2, half, half, half)
	same(t, "events", o.events, "0s arrive 0", "0s arrive 1", "0s arrive 2", "2s fail 0", "2s fail 1", "2s fail",
		"8s finish 2")
	for j, want := range []int32{1, 1, 0} {
		if r := o.e.Record(JobID(j)); r.Faults != want {
			t.Errorf("job %d: %d faults, expected %d", j, r.Faults, want)
		}
	}
}

// A machine that is cordoned under a running job is given to no job when this one ends, until the
// cordon does.
func TestCordonUnderAJob(t *testing.T) {
	free := map[Time]bool{}
	p := play{plan: map[Time][]Decision{0: {begin(0, 0)}, Second: {{Kind: Cordon}}, 8 * Second: {{Kind: Uncordon}}, 9 *
		Second: {begin(1, 0)}}}
	p.look = func(v *View) { free[v.Now()] = v.Free().Has(0) }
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: 5 * Second}, Job{GPUs: 1, Work: Second})
	same(t, "tape", o.tape[:1], "job 0 on [0] 0s-5s run 5s finish")
	if free[5*Second] || free[8*Second] || !free[9*Second] {
		t.Errorf("free at 5, 8 and 9 s: %v %v %v, expected only at 9 s", free[5*Second], free[8*Second], free[9*Second])
	}
}

// A source that names units that the cluster does not have ends the run with an error that notes
// it.
func TestOutagesOfNothing(t *testing.T) {
	for want, o := range map[string]Outage{
		"outage of machine 2, expected 0..1":               {Machine: 2, GPU: -1},
		"outage of machine -1, expected 0..1":              {Machine: -1, GPU: -1},
		"outage of GPU 3 of machine 1, expected 0..2":      {Machine: 1, GPU: 3},
		"cordon of machine 2: outage of machine 2, expect": {Machine: -99},
	} {
		p := play{cfg: Config{Topology: topology(t, 1, 2, 3, 1), Outages: Schedule{o}.Source()}}
		if o.Machine == -99 {
			p.cfg.Outages, p.plan = nil, map[Time][]Decision{0: {{Kind: Cordon, Machine: 2}}}
		}
		if _, err := p.run(t, 0, Job{GPUs: 1, Work: Second}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

// A schedule that was handed to one run is fresh for the next: the engine pulls from a copy.
func TestScheduleServesManyRuns(t *testing.T) {
	src := Schedule{{At: 2 * Second, Machine: 0, GPU: -1}, {At: 3 * Second, Machine: 0, GPU: -1, Up: true}}.Source()
	for i := range 2 {
		p := play{cfg: Config{Outages: src}, plan: map[Time][]Decision{0: {begin(0, 0)}, 3 * Second: {begin(0, 0)}}}
		o := p.mustRun(t, 1, Job{GPUs: 1, Work: 4 * Second})
		if r := o.e.Record(0); r.Faults != 1 || r.End != 7*Second {
			t.Errorf("run %d: %d faults, end %v, expected one fault and 7 s", i, r.Faults, r.End)
		}
	}
}
