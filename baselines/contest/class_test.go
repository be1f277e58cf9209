package contest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// The index finds whom a scan finds.
func TestClassAgainstScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pos := make([]int32, 4000)
	c := new(Policy).newClass(firstSize)
	c.GPUs, c.pos = 2, pos
	var live []Entry
	now := sim.Time(0)
	for i := range sim.JobID(4000) {
		now += sim.Time(r.IntN(3))
		e := Entry{Job: i, Turn: int32(i), Since: now, Tie: now, Key: float64(r.IntN(50))}
		c.push(e)
		live = append(live, e)
		for r.IntN(3) > 0 && len(live) > 0 && (len(live) > 200 || r.IntN(2) == 0) {
			k := r.IntN(len(live))
			c.Remove(live[k].Job)
			if r.IntN(4) == 0 {
				c.restore(live[k].Job)
				continue
			}
			live = slices.Delete(live, k, k+1)
		}
		at := sim.Time(r.Int64N(int64(now) + 2))
		var best, before *Entry
		next := sim.Never
		for k := range live {
			e := &live[k]
			if best == nil || e.Before(best) {
				best = e
			}
			if e.Since <= at && (before == nil || e.Before(before)) {
				before = e
			}
			if e.Since > at {
				next = min(next, e.Since)
			}
		}
		same := func(a, b *Entry) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
		if !same(c.Best(), best) || !same(c.bestBefore(at), before) || c.nextAfter(at) != next || c.Live != len(live) {
			t.Fatalf("step %d at %v: got %v %v %v, want %v %v %v", i, at, c.Best(), c.bestBefore(at), c.nextAfter(at),
				best, before, next)
		}
	}
}
