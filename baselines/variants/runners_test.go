package variants

import (
	"slices"
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/outage"
	"tarry/sim/simtest/hand"
)

// alone is a coupled model in which no job slows another: a search for a victim then looks at all
// running jobs.
type alone struct{ hand.ByLevel }

func (alone) Place(*sim.Query) error              { return nil }
func (alone) Remove(sim.JobID)                    {}
func (alone) Touched(dst []sim.JobID) []sim.JobID { return dst }
func (alone) Reset()                              {}

// The index of running jobs finds the victims that a look at all of them finds; with faults, too.
func TestVictimsAgainstScan(t *testing.T) {
	evicted := map[string]int{}
	for _, text := range []string{all + ",margin=0.3", "features=rank:1,preempt=false,min_run=0",
		"features=wait:-1+pressure_gpus:1+running:-0.5,margin=0.2,lease=900",
		"weights=testdata/hidden.txt,every=0.5", "features=rank:1+gpus:1,margin=0,min_run=2,median_s=1800,spread=1.5",
		"features=attained:1,min_run=0.1,ties=submit"} {
		for seed := range uint64(4) {
			cfg := hours(t, seed, 400)
			if seed == 1 {
				cfg.Costs = sim.Costs{}
			}
			if seed == 3 {
				var faults outage.Schedule
				for i := range sim.Time(60) {
					m := int32(i * 5 % 8)
					faults = append(faults, sim.Outage{At: i * 3600 * s, Machine: m, GPU: -1},
						sim.Outage{At: (2*i + 1) * 1800 * s, Machine: m, GPU: -1, Up: true})
				}
				cfg.Outages = faults.Source()
			}
			got := hand.Records(t, cfg, build(t, makeRanked, text)())
			cfg.Speed = alone{cfg.Speed.(hand.ByLevel)}
			if !slices.Equal(got, hand.Records(t, cfg, build(t, makeRanked, text)())) {
				t.Errorf("%s, seed %d: the records differ", text, seed)
			}
			for _, r := range got {
				evicted[text] += int(r.Preemptions)
			}
		}
		if evicted[text] == 0 && strings.Contains(text, "preempt=false") {
			t.Errorf("%s: nobody was evicted", text)
		}
	}
}

// A copy that is made in the middle of a run makes its own index, and leaves the other's.
func TestVictimsAfterCopies(t *testing.T) {
	for seed := range uint64(3) {
		cfg := hours(t, seed, 300)
		p := build(t, makeRanked, "features=rank:1,preempt=false")()
		want := hand.Records(t, cfg, p)
		if got := hand.Records(t, cfg, &copies{Policy: build(t, makeRanked,
			"features=rank:1,preempt=false")().(*contest.Policy)}); !slices.Equal(got, want) {
			t.Errorf("seed %d: the records differ", seed)
		}
	}
}

// copies continues as a copy of itself every few instants, in the memory of an older one.
type copies struct {
	*contest.Policy
	old *contest.Policy
	n   int
}

func (c *copies) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if c.n++; c.n%7 == 0 {
		if c.old == nil {
			c.old = new(contest.Policy)
		}
		c.old.CopyFrom(c.Policy, contest.CopyTimers(c.old.Timers(), c.Policy.Timers()))
		c.Policy, c.old = c.old, c.Policy
	}
	return c.Policy.Decide(v, out)
}
