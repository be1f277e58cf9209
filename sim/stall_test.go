package sim

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// A stalled job keeps its GPUs, its running time passes, and it ends once a Tune or a move has
// given it a rate again.
func TestStalledJobs(t *testing.T) {
	stall := Decision{Kind: Tune, Knobs: Knobs{Batch: stalls}}
	var got []string
	p := play{cfg: Config{Speed: stalling{}}, know: know.Work,
		plan: map[Time][]Decision{0: {begin(0, 0), {Kind: Watch, Counter: RunTime, Bound: 3 * Second}}, 2 *
			Second: {stall},
			6 * Second: {{Kind: Tune, Knobs: Knobs{Batch: 1}}}}}
	p.look = func(v *View) {
		if v.Now() >= 3*Second && v.Run(0).State() == Running {
			got = append(got, fmt.Sprintf("%v: ran %v, left %v, rate %v", v.Now(), v.Run(0).Time(), v.Run(0).Left(),
				v.Run(0).Speed().Rate))
		}
	}
	o := p.mustRun(t, 2, Job{GPUs: 1, Work: 5 * Second})
	same(t, "seen", got, "3s: ran 3s, left 3e+06, rate 0", "6s: ran 6s, left 3e+06, rate 0")
	same(t, "events", o.events[1:], "3s cross 0", "9s finish 0")
	same(t, "life", []string{o.life(0)}, "done: start 0s end 9s queue 0s run 9s overhead 0s lost 0s in 0s")

	p.look = nil
	p.plan[6*Second] = []Decision{{Kind: Migrate, GPUs: on(1), Knobs: Knobs{Batch: 2}}}
	same(t, "moved", p.mustRun(t, 2, Job{GPUs: 1, Work: 5 * Second}).events[1:], "3s cross 0", "9s finish 0")
	p.plan[6*Second] = []Decision{{Kind: Preempt}}
	p.plan[7*Second] = []Decision{begin(0, 1)}
	same(t, "preempted", p.mustRun(t, 2, Job{GPUs: 1, Work: 5 * Second}).events[1:], "3s cross 0", "10s finish 0")
}

// lonely stalls jobs that are not alone on their GPUs but the first of them.
type lonely struct{ counting }

func (s lonely) Speed(q *Query) (Speed, error) {
	if len(q.Peers) > 0 && q.Peers[0].ID < q.ID {
		return Speed{ComputeFrac: 1}, nil
	}
	return s.counting.Speed(q)
}

// A job that is stalled by another runs once that ends.
func TestStalledByAPeer(t *testing.T) {
	half := Job{GPUs: 1, ShareMilli: 500, Work: 2 * Second}
	o := play{cfg: Config{Speed: lonely{}}, plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0)}}}.mustRun(t, 1,
		half, half)
	same(t, "events", o.events[2:], "4s finish 0", "8s finish 1")
}

// Where all that runs is stalled and nothing will happen, the run ends with an error, not in
// silence; with a horizon it ends there.
func TestAllStalled(t *testing.T) {
	plan := map[Time][]Decision{0: {begin(0, 0), begin(1, 1)},
		Second: {{Kind: Tune, Knobs: Knobs{Batch: stalls}}, {Kind: Tune, Job: 1, Knobs: Knobs{Batch: stalls}}}}
	p := play{cfg: Config{Speed: stalling{}}, plan: plan}
	_, err := p.run(t, 2, Job{GPUs: 1, Work: 5 * Second}, Job{GPUs: 1, Work: 5 * Second})
	want := `at 1s: 2 jobs run at rate 0, among them job "0", and nothing will happen any more`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, expected %q", err, want)
	}
	p.cfg.Until = 9 * Second
	o := p.mustRun(t, 2, Job{GPUs: 1, Work: 5 * Second}, Job{GPUs: 1, Work: 5 * Second})
	same(t, "life", []string{o.life(1)}, "running: start 0s end never queue 0s run 9s overhead 0s lost 0s in 0s")
	if o.e.Now() != 9*Second {
		t.Errorf("the run ended at %v, expected 9s", o.e.Now())
	}
	same(t, "a lease ends", play{cfg: Config{Speed: stalling{}, Until: 9 * Second},
		plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0), Lease: 3 * Second, Knobs: Knobs{Batch: stalls}}}}}.
		mustRun(t, 1, Job{GPUs: 1, Work: Second}).events[1:], "3s expire 0")
}

// Costs.Of prices every kind of change by what it sees, and a formula is not asked then.
func TestPricedChanges(t *testing.T) {
	var said []string
	of := func(c *Change) Time {
		said = append(said, fmt.Sprintf("%v again %v of %s %d: %v to %v, batch %v", c.Kind, c.Again, c.Job.ID, c.ID,
			c.From, c.To, c.Batch))
		if c.Kind == Preempt {
			return Second
		}
		return Time(len(c.To)) * Second
	}
	p := play{cfg: Config{Costs: Costs{Of: of, Start: Cost{FixedS: 100}}},
		plan: map[Time][]Decision{0: {begin(0, 0)}, 2 * Second: {{Kind: Resize, GPUs: on(1, 2),
			Knobs: Knobs{Batch: 2}}},
			5 * Second: {{Kind: Migrate, GPUs: on(0, 1)}}, 8 * Second: {{Kind: Renew}}, 11 *
				Second: {{Kind: Tune, Knobs: Knobs{Batch: 4}}}, 14 * Second: {{Kind: Preempt}}, 16 *
				Second: {begin(0, 2)}}}
	p.look = func(v *View) {
		if v.Now() == 14*Second && v.Run(0).CheckpointTime() != Second {
			t.Errorf("a checkpoint takes %v, expected 1s", v.Run(0).CheckpointTime())
		}
	}
	// Progress: 1 s on one GPU, then a second of each of four spans on two, 9 of 20; the rest takes
	// 11 s.
	o := p.mustRun(t, 3, Job{GPUs: 1, MaxGPUs: 2, Work: 20 * Second})
	same(t, "said", said, "start again false of 0 0: [] to [0], batch 1",
		"resize again false of 0 0: [0] to [1 2], batch 2", "migrate again false of 0 0: [1 2] to [0 1], batch 2",
		"renew again false of 0 0: [0 1] to [0 1], batch 2", "tune again false of 0 0: [0 1] to [0 1], batch 4",
		"preempt again false of 0 0: [0 1] to [], batch 4",
		"preempt again false of 0 0: [0 1] to [], batch 4", "start again true of 0 0: [] to [2], batch 1")
	same(t, "life", []string{o.life(0)}, "done: start 0s end 28s queue 1s run 16s overhead 11s lost 0s in 0s")

	for _, cost := range []Time{-1, Never} {
		p := play{cfg: Config{Costs: Costs{Of: func(*Change) Time { return cost }}},
			plan: map[Time][]Decision{0: {begin(0, 0)}}}
		if _, err := p.run(t, 1, Job{GPUs: 1, Work: Second}); err == nil ||
			!strings.Contains(err.Error(), `decision 0, start of job "0": the cost is`) {
			t.Errorf("error %v of a cost of %v", err, cost)
		}
	}
}

// A price that is the formula gives the run that the formula gives, under decisions of every kind.
func TestPricedAsTheFormula(t *testing.T) {
	costs := Costs{Start: Cost{FixedS: 1}, Restore: Cost{PerGPUS: 2}, Checkpoint: Cost{FixedS: 1, PerGPUS: 1},
		Migrate: Cost{PerGPUS: 1}, Rescale: Cost{FixedS: 2}, Renew: Cost{PerGPUS: .5}}
	priced := Costs{Of: func(c *Change) Time {
		switch {
		case c.Kind == Start && c.Again:
			return costs.Restore.time(len(c.To), 0)
		case c.Kind == Tune:
			return 0
		case c.Kind == Preempt:
			return costs.Checkpoint.time(len(c.From), 0)
		}
		return map[DecisionKind]Cost{Start: costs.Start, Migrate: costs.Migrate, Resize: costs.Rescale,
			Renew: costs.Renew}[c.Kind].time(len(c.To), 0)
	}}
	g := func(x ...cluster.GPU) []cluster.GPU { return x }
	plan := map[Time][]Decision{0: {begin(0, 0, 1)}, 3 * Second: {{Kind: Migrate, GPUs: g(2, 3)}}, 7 *
		Second: {{Kind: Resize, GPUs: g(0)}, {Kind: Renew, Lease: Second}}, 12 *
		Second: {{Kind: Tune, Knobs: Knobs{FreqFrac: .5}}},
		15 * Second: {{Kind: Preempt}}, 20 * Second: {begin(0, 1, 2)}}
	var lives []string
	for _, c := range []Costs{costs, priced} {
		lives = append(lives, play{cfg: Config{Costs: c}, plan: plan}.mustRun(t, 4,
			Job{GPUs: 2, MinGPUs: 1, Work: 30 * Second}).life(0))
	}
	same(t, "priced", lives[1:], lives[0])
}
