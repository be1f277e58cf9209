package plan_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/plan"
)

// turns writes who has a place, by type.
func turns(r *plan.Rounds, free []int, fill bool) string {
	r.Open()
	out := ""
	for typ, n := range free {
		var ts []plan.Turn
		ts, _ = r.Pick(typ, n, fill, ts)
		for _, t := range ts {
			out += fmt.Sprintf("%d@%d ", t.Job, typ)
		}
	}
	return out
}

// TestRoundsByHand: three jobs of one GPU that are due a half, a third and a sixth of one GPU get
// their parts of six rounds, and each row of a round follows from time had alone.
func TestRoundsByHand(t *testing.T) {
	r := plan.NewRounds(1, 180)
	for j := range sim.JobID(3) {
		r.Able(r.Add(j, sim.NoJob, 1), 0, true)
	}
	r.Reset(0)
	for j, x := range []float64{1. / 2, 1. / 3, 1. / 6} {
		r.Set(r.Row(sim.JobID(j)), 0, x)
	}
	got := ""
	var count [3]int
	for range 6 {
		one := turns(r, []int{1}, true)
		got += one
		j := sim.JobID(one[0] - '0')
		count[j]++
		r.Ran(r.Row(j), 0, 360)
	}
	// x / (got / all) with got = 180 + 360 per round had: 1.5 1 .5, .83 1.67 .83, 1.17 .78 1.17
	// (the larger x), .9 1 1.5, 1.1 1.22 .61, 1.3 .87 .72.
	if want := "0@0 1@0 0@0 2@0 1@0 0@0 "; got != want || count != [3]int{3, 2, 1} {
		t.Errorf("rounds %s, expected %s", got, want)
	}
}

// TestRoundsOrder: what is owed decides between equal priorities, then the smaller job; one that
// does not fit blocks no other; fraction 0 comes last, and only with fill.
func TestRoundsOrder(t *testing.T) {
	r := plan.NewRounds(2, 10)
	for j, gpus := range []int{1, 4, 1, 1} {
		n := r.Add(sim.JobID(j), sim.NoJob, gpus)
		r.Able(n, 0, true)
		r.Able(n, 1, j != 0)
	}
	r.Reset(0)
	for j, x := range []float64{.25, .5, .25, 0} {
		r.Set(r.Row(sim.JobID(j)), 0, x)
		r.Set(r.Row(sim.JobID(j)), 1, 0)
	}
	for _, c := range []struct {
		free []int
		fill bool
		want string
	}{
		{[]int{4, 0}, true, "1@0 "}, {[]int{3, 0}, false, "0@0 2@0 "}, {[]int{3, 0}, true, "0@0 2@0 3@0 "},
		{[]int{1, 1}, true, "0@0 2@1 "}, {[]int{1, 2}, true, "0@0 2@1 3@1 "}, {[]int{0, 3}, false, ""},
	} {
		if got := turns(r, c.free, c.fill); got != c.want {
			t.Errorf("%v free, fill %v: %q, expected %q", c.free, c.fill, got, c.want)
		}
	}
	r.Ran(r.Row(0), 0, 40)
	r.Reset(40) // job 0 had 40 s and was due 10, job 2 had none
	if got := turns(r, []int{1, 0}, true); got != "2@0 " {
		t.Errorf("after job 0 had more than its part %q, expected job 2", got)
	}
}

// TestRoundsPairs: a pair takes both its jobs, and a job that has a place is in no pair.
func TestRoundsPairs(t *testing.T) {
	r := plan.NewRounds(1, 1)
	a, b := r.Add(0, sim.NoJob, 2), r.Add(1, sim.NoJob, 2)
	both := r.Add(0, 1, 2)
	for _, n := range []int32{a, b, both} {
		r.Able(n, 0, true)
	}
	r.Reset(0)
	r.Set(a, 0, .3)
	r.Set(b, 0, .2)
	r.Set(both, 0, .5)
	r.Open()
	ts, free := r.Pick(0, 4, true, nil)
	if len(ts) != 1 || ts[0].Row != both || ts[0].Mate != 1 || free != 2 {
		t.Errorf("%+v, %d free, expected the pair alone and 2", ts, free)
	}
	r.Ran(both, 0, 100)
	r.Open()
	if ts, free = r.Pick(0, 4, true, nil); len(ts) != 2 || ts[0].Row != a || ts[1].Row != b || free != 0 {
		t.Errorf("%+v, %d free, expected both alone", ts, free)
	}
}

// naive is Rounds with a sorted list of all rows.
type naive struct {
	x, got, owed, all []float64
	gpus              []int
	live, known, able []bool
}

func (n *naive) pick(free int, fill bool) string {
	var order []int
	priority := func(i int) float64 {
		if !n.known[i] || n.x[i] == 0 || !n.able[i] {
			return 0
		}
		return n.x[i] / (n.got[i] / n.all[0])
	}
	for i := range n.x {
		if n.live[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(priority(b), priority(a)), cmp.Compare(n.owed[b], n.owed[a]),
			cmp.Compare(n.x[b], n.x[a]), cmp.Compare(a, b))
	})
	out := ""
	for _, i := range order {
		if n.able[i] && n.gpus[i] <= free && (fill || priority(i) > 0) {
			free -= n.gpus[i]
			out += fmt.Sprintf("%d@0 ", i)
		}
	}
	return out
}

// TestRoundsTwin holds Rounds against the naive order on drawn histories, and a clone against the
// original.
func TestRoundsTwin(t *testing.T) {
	for seed := range uint64(100) {
		d := rand.New(rand.NewPCG(seed, 1))
		r, n := plan.NewRounds(1, 5), &naive{all: make([]float64, 1)}
		for range 60 {
			switch j := len(n.x); d.IntN(4) {
			case 0:
				g := 1 + d.IntN(4)
				able := d.IntN(5) > 0
				r.Able(r.Add(sim.JobID(j), sim.NoJob, g), 0, able)
				n.x, n.got, n.owed = append(n.x, 0), append(n.got, 5), append(n.owed, 0)
				n.gpus, n.live, n.known, n.able = append(n.gpus, g), append(n.live, true), append(n.known, false),
					append(n.able, able)
			case 1:
				if j > 0 {
					if k := d.IntN(j); n.live[k] {
						r.Remove(r.Row(sim.JobID(k)))
						n.live[k] = false
					}
				}
			case 2:
				elapsed := float64(d.IntN(100))
				r.Reset(elapsed)
				n.all[0] = 0
				for k := range n.x {
					if n.live[k] {
						n.owed[k] += float64(n.x[k]*elapsed) - (n.got[k] - 5)
						n.got[k], n.known[k], n.x[k] = 5, true, float64(d.IntN(4))/4
						n.all[0] += 5
						r.Set(r.Row(sim.JobID(k)), 0, n.x[k])
					}
				}
			case 3:
				for k := range n.x {
					if n.live[k] && d.IntN(2) == 0 {
						s := float64(d.IntN(20))
						r.Ran(r.Row(sim.JobID(k)), 0, s)
						n.got[k] += s
						n.all[0] += s
					}
				}
			}
			free, fill := d.IntN(12), d.IntN(2) == 0
			if got, want := turns(r, []int{free}, fill), n.pick(free, fill); got != want ||
				turns(r.Clone(), []int{free}, fill) != want {
				t.Fatalf("seed %d, %d free: %q, expected %q", seed, free, got, want)
			}
		}
	}
}

// TestRoundsAllocateNothing: a warm round costs no memory.
func TestRoundsAllocateNothing(t *testing.T) {
	r := plan.NewRounds(3, 5)
	for j := range sim.JobID(50) {
		n := r.Add(j, sim.NoJob, 1)
		for typ := range 3 {
			r.Able(n, typ, true)
			r.Set(n, typ, .3)
		}
	}
	r.Reset(0)
	var ts []plan.Turn
	round := func() {
		ts = ts[:0]
		r.Open()
		for typ := range 3 {
			ts, _ = r.Pick(typ, 10, true, ts)
		}
		r.Remove(r.Row(7))
		r.Add(7, sim.NoJob, 1)
	}
	round()
	if n := testing.AllocsPerRun(20, round); n > 0 {
		t.Errorf("%v allocations per round, expected none", n)
	}
}
