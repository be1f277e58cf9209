package circle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A link of three jobs and one more of two of them make a loop; a third job does not.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		links [][]int32
		want  bool
	}{{nil, false}, {[][]int32{{0, 1, 2}}, false}, {[][]int32{{0, 1}, {1, 2}}, false}, {[][]int32{{0, 1}, {1, 0}}, true},
		{[][]int32{{0, 1, 2}, {2, 3}, {3, 4}}, false}, {[][]int32{{0, 1}, {1, 2}, {2, 3}, {0, 3}}, true}} {
		var g Graph
		g.Reset(5)
		for _, l := range c.links {
			g.Link(l, make([]int64, len(l)))
		}
		if got := g.Loops(); got != c.want {
			t.Errorf("%v: a loop: %v, expected %v", c.links, got, c.want)
		}
	}
}

// In a forest, jobs of a link are shifted against each other as the link wants, from whichever job
// the traversal begins; jobs that it does not reach stay.
func TestTraversalKeepsLinks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		const n = 7
		var g Graph
		g.Reset(n + 1)
		type link struct {
			jobs   []int32
			shifts []int64
		}
		var links []link
		for next := int32(1); next < n; { // each new link has one job of those before
			k := min(1+int32(r.IntN(3)), n-next)
			l := link{jobs: []int32{int32(r.IntN(int(next)))}}
			for range k {
				l.jobs = append(l.jobs, next)
				next++
			}
			for range l.jobs {
				l.shifts = append(l.shifts, r.Int64N(60))
			}
			g.Link(l.jobs, l.shifts)
			links = append(links, l)
		}
		periods, shifts := slices.Repeat([]int64{60}, n+1), slices.Repeat([]int64{Unset}, n+1)
		from := int32(r.IntN(n))
		shifts[from] = 17
		g.Traverse(from, periods, shifts)
		if g.Loops() || shifts[from] != 17 || shifts[n] != Unset {
			t.Fatalf("shifts %v from job %d; a loop: %v", shifts, from, g.Loops())
		}
		for _, l := range links {
			for i := range l.jobs {
				if mod(shifts[l.jobs[i]]-shifts[l.jobs[0]], 60) != mod(l.shifts[i]-l.shifts[0], 60) {
					t.Fatalf("jobs %v: shifts %v, wanted %v", l.jobs, shifts, l.shifts)
				}
			}
		}
	}
}

// Times by hand: equal ones stay, near ones become equal, a half gets its half; what is too far off
// has no common multiple.
func TestUnifyByHand(t *testing.T) {
	l := Limits{Laps: 2, Stretch: 0.05}
	for _, c := range []struct {
		periods, want []int64
		perimeter     int64
		ok            bool
	}{
		{[]int64{300, 300}, []int64{300, 300}, 300, true},
		{[]int64{300, 310}, []int64{310, 310}, 310, true},
		{[]int64{100, 51}, []int64{102, 51}, 102, true},
		{[]int64{200, 300}, []int64{200, 300}, 600, true},
		{[]int64{1000, 870}, []int64{1000, 870}, 0, false},
		{[]int64{7}, []int64{7}, 7, true},
	} {
		got := slices.Clone(c.periods)
		if p, ok := l.Unify(got); p != c.perimeter && ok || ok != c.ok || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, perimeter %d, %v; expected %v, %d, %v", c.periods, got, p, ok, c.want, c.perimeter, c.ok)
		}
	}
}

// Unify keeps its limits, shortens nothing, and each time is a whole part of the perimeter.
func TestUnifyKeepsLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	found := 0
	for range 500 {
		l := Limits{Laps: 1 + r.Int64N(10), Stretch: float64(r.IntN(3)) / 20}
		periods := make([]int64, 2+r.IntN(4))
		for i := range periods {
			periods[i] = 50_000 + r.Int64N(1_000_000)
		}
		was := slices.Clone(periods)
		p, ok := l.Unify(periods)
		if !ok {
			if !slices.Equal(periods, was) {
				t.Fatalf("%v became %v", was, periods)
			}
			continue
		}
		found++
		for i, x := range periods {
			if p%x != 0 || x < was[i] || float64(x-was[i]) > l.Stretch*float64(was[i]) ||
				float64(p) > (float64(l.Laps)+l.Stretch)*float64(slices.Max(was)) {
				t.Fatalf("%v of limits %+v became %v with perimeter %d", was, l, periods, p)
			}
		}
	}
	if found < 50 {
		t.Errorf("%d of 500 have a common multiple", found)
	}
}
