package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// With Costs.Kill a preemption returns its job to the last checkpoint and frees its GPUs at once.
// One job on one GPU of two, 10 s of work; it is preempted as stated and starts again at 20 s.
func TestKill(t *testing.T) {
	type plan = map[Time][]Decision
	slow := Cost{FixedS: 5}
	for _, c := range []struct {
		name  string
		costs Costs
		plan  plan
		want  string
	}{
		{"all of it", Costs{Kill: true}, plan{7 * Second: {{Kind: Preempt}}},
			"done: start 0s end 30s queue 13s run 17s overhead 0s lost 7s in 7s, killed 7s"},
		{"no checkpoint is written", Costs{Kill: true, Checkpoint: slow}, plan{7 * Second: {{Kind: Preempt}}},
			"done: start 0s end 30s queue 13s run 17s overhead 0s lost 7s in 7s, killed 7s"},
		{"no price is asked for", Costs{Kill: true, Of: func(c *Change) Time {
			if c.Kind == Preempt {
				return 3 * Second
			}
			return 0
		}}, plan{7 * Second: {{Kind: Preempt}}},
			"done: start 0s end 30s queue 13s run 17s overhead 0s lost 7s in 7s, killed 7s"},
		{"saved without it", Costs{Checkpoint: slow}, plan{7 * Second: {{Kind: Preempt}}},
			"done: start 0s end 23s queue 8s run 10s overhead 5s lost 0s in 0s, killed 0s"},
		// Checkpoints at 3 and 6 s.
		{"since the periodic checkpoint", Costs{Kill: true, CheckpointEveryS: 3}, plan{8 * Second: {{Kind: Preempt}}},
			"done: start 0s end 24s queue 12s run 12s overhead 0s lost 2s in 2s, killed 2s"},
		{"nothing at the checkpoint itself", Costs{Kill: true, CheckpointEveryS: 3},
			plan{6 * Second: {{Kind: Preempt}}},
			"done: start 0s end 24s queue 14s run 10s overhead 0s lost 0s in 0s, killed 0s"},
		{"a move saves", Costs{Kill: true}, plan{4 * Second: {{Kind: Migrate, GPUs: on(1)}},
			7 * Second: {{Kind: Preempt}}},
			"done: start 0s end 26s queue 13s run 13s overhead 0s lost 3s in 3s, killed 3s"},
		{"in the pause before it ran", Costs{Kill: true, Start: slow}, plan{2 * Second: {{Kind: Preempt}}},
			"done: start 0s end 30s queue 18s run 10s overhead 2s lost 0s in 0s, killed 0s"},
		// 4 s are undone at 4 s, 3 s more at 7 s.
		{"twice", Costs{Kill: true}, plan{4 * Second: {{Kind: Preempt}, begin(0, 1)}, 7 * Second: {{Kind: Preempt}}},
			"done: start 0s end 30s queue 13s run 17s overhead 0s lost 7s in 7s, killed 7s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.plan[0], c.plan[20*Second] = []Decision{begin(0, 0)}, []Decision{begin(0, 1)}
			p := play{cfg: Config{Costs: c.costs}, plan: c.plan}
			p.look = func(v *View) {
				if c.costs.Kill && v.Draining() > 0 {
					t.Errorf("at %v a killed job holds GPUs", v.Now())
				}
			}
			o := p.mustRun(t, 2, Job{GPUs: 1, Work: 10 * Second})
			same(t, "life", []string{fmt.Sprintf("%s, killed %v", o.life(0), o.e.Record(0).KilledRun)}, c.want)
		})
	}
}

// What faults undid is not what kills undid.
func TestKillsAndFaults(t *testing.T) {
	p := play{cfg: Config{Topology: topology(t, 1, 2, 1, 1), Costs: Costs{Kill: true},
		Outages: Schedule{{At: 3 * Second, Machine: 0, GPU: -1}}.Source()},
		plan: map[Time][]Decision{0: {begin(0, 0)}, 4 * Second: {begin(0, 1)}, 9 * Second: {{Kind: Preempt},
			begin(0, 1)}}}
	r := p.mustRun(t, 0, Job{GPUs: 1, Work: 10 * Second}).e.Record(0)
	if r.LostRun != 8*Second || r.KilledRun != 5*Second || r.Lost != 8*Second || r.Faults != 1 || r.Preemptions != 1 {
		t.Errorf("%+v: expected 8 s lost, 5 s of it by one kill, the rest by one fault", r)
	}
}

// What a kill would undo, and when the next checkpoint is.
func TestUnsaved(t *testing.T) {
	got := map[Time]string{}
	p := play{cfg: Config{Costs: Costs{Kill: true, CheckpointEveryS: 4, Start: Cost{FixedS: 1}, Renew: Cost{FixedS: 3}}},
		plan: map[Time][]Decision{0: {begin(0, 0)}, Second / 2: nil, 3 * Second: nil, 5 * Second: nil,
			7 * Second: {{Kind: Renew}}, 8 * Second: nil, 11 * Second: {{Kind: Preempt}}, 12 * Second: {begin(0, 0)}}}
	p.look = func(v *View) {
		if v.Now() < 13*Second {
			r := v.Run(0)
			got[v.Now()] = fmt.Sprintf("%v, next at %v, a checkpoint takes %v", r.Unsaved(), r.NextCheckpoint(),
				r.CheckpointTime())
		}
	}
	p.mustRun(t, 1, Job{GPUs: 1, Work: 10 * Second})
	for at, want := range map[Time]string{
		0:           "0s, next at never, a checkpoint takes 0s",
		Second / 2:  "0s, next at 5s, a checkpoint takes 0s",
		3 * Second:  "2s, next at 5s, a checkpoint takes 0s",
		5 * Second:  "0s, next at 9s, a checkpoint takes 0s",
		7 * Second:  "2s, next at 9s, a checkpoint takes 0s",
		8 * Second:  "2s, next at 13s, a checkpoint takes 0s", // it is paused until 10 s
		11 * Second: "3s, next at 13s, a checkpoint takes 0s",
		12 * Second: "0s, next at never, a checkpoint takes 0s",
	} {
		if got[at] != want {
			t.Errorf("at %v: %s, expected %s", at, got[at], want)
		}
	}
}

// Kills that throw a job back for ever stop the run, which states what to do.
func TestKillsInVain(t *testing.T) {
	p := script{f: func(v *View, out []Decision) []Decision {
		switch v.Run(0).State() {
		case Done:
			return out
		case Running:
			out = append(out, Decision{Kind: Preempt})
		}
		return append(out, begin(0, 0), Decision{Kind: WakeAt, At: v.Now() + 5*Second})
	}}
	run := func(every float64) (Record, error) {
		e, err := Run(context.Background(), Config{Workload: jobs(t, Job{GPUs: 1, Work: 9 * Second}),
			Topology: topology(t, 1, 1, 1, 1), Speed: counting{}, Check: true,
			Costs: Costs{Kill: true, CheckpointEveryS: every}}, p)
		if err != nil {
			return Record{}, err
		}
		return e.Record(0), nil
	}
	_, err := run(0)
	for _, want := range []string{"16384 restarts after faults and kills", `job "0" has been restarted`,
		"expected checkpoints (cost checkpoint_every_s), fewer faults and kills"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
	if r, err := run(2); err != nil || r.State != Done || r.KilledRun != Second {
		t.Errorf("with checkpoints: %+v, error %v", r, err)
	}
}
