package muri

import (
	"math/rand/v2"
	"testing"

	"tarry/baselines/muri/muritest"
	"tarry/sim"
	"tarry/sim/stages"
)

// Every group of classes that are busy with the same stage is slower than its jobs one after the other, in
// the best order.
func TestBusyGroupsAreDissolved(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	groups := 0
	for range 200_000 {
		n := 2 + r.IntN(stages.Most-1)
		all, sum := computes|exchanges, 0.0
		var times [stages.Most]stages.Times
		for i := range n {
			c := class{times: stages.Times{0.3 * r.Float64(), 0.02 * r.Float64(), 0.02 * r.Float64()}}
			c.times[1+r.IntN(2)] = 0.5 + r.Float64()
			if r.IntN(2) == 0 {
				c.times[stages.Load] = 0
			}
			c.iterS = c.times.Sum()
			all &= c.own(stages.Most)
			times[i] = c.times
			sum += c.iterS
		}
		if all == 0 {
			continue
		}
		groups++
		if got := stages.GroupS(times[:n], 0, stages.Best); got <= sum {
			t.Fatalf("%v: %v s together, %v s one after the other", times[:n], got, sum)
		}
	}
	if groups < 20_000 {
		t.Errorf("%d groups, expected more", groups)
	}
}

// Jobs of which every group would be dissolved are not matched, and end as they do without company;
// where one pool has others, all are.
func TestApartByHand(t *testing.T) {
	busy := muritest.Profile(t)
	for _, c := range []struct {
		jobs   string
		blocks int
	}{{"ccc", 0}, {"abc", 1}} {
		p := policy(t, "")().(*Policy)
		jobs := []sim.Job{muritest.Job(0, c.jobs[:1], 100), muritest.Job(1, c.jobs[1:2], 50), muritest.Job(2, c.jobs[2:], 70)}
		muritest.Ends(t, busy, 2, p, jobs...)
		if got := len(p.pools[0].last); min(got, 1) != c.blocks {
			t.Errorf("%s: %d blocks were matched, expected %d", c.jobs, got, c.blocks)
		}
	}
}
