package market

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/internal/lp"
)

// draw makes a window: jobs of 1, 2, 4 and 8 GPUs, some nearly done, with and without limits.
func draw(r *rand.Rand, jobs, rounds, gpus int, limits bool) *Problem {
	p := &Problem{GPUs: gpus, Rounds: rounds, RoundS: 120, K: []float64{0, 1e-4, 1e-3, 10}[r.IntN(4)],
		Bases: []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, Floor: 1e-6}
	for range jobs {
		j := Job{GPUs: []int{1, 1, 1, 2, 4, 8}[r.IntN(6)], EpochS: 1 + 200*r.Float64(),
			Epochs: float64(1 + r.IntN(60)), Weight: 1, Limit: math.Inf(1)}
		for j.GPUs > gpus {
			j.GPUs /= 2
		}
		j.Done = float64(r.IntN(int(j.Epochs)))
		j.Left = (j.Epochs - j.Done) * j.EpochS * (0.7 + 0.6*r.Float64())
		if r.IntN(4) == 0 {
			j.Weight = math.Pow(1+r.Float64(), 12)
		}
		if limits && r.IntN(2) == 0 {
			j.Limit = j.Left * r.Float64()
		}
		p.Jobs = append(p.Jobs, j)
	}
	return p
}

// brute tries every count.
func brute(p *Problem) (best float64, ok bool) {
	best = math.Inf(-1)
	n := make([]int, len(p.Jobs))
	var try func(i, room int)
	try = func(i, room int) {
		if i == len(n) {
			for k := range n {
				if p.left(&p.Jobs[k], n[k]) > p.Jobs[k].Limit+1e-9 {
					return
				}
			}
			if v, _ := p.objective(n); v > best {
				best, ok = v, true
			}
			return
		}
		for n[i] = 0; n[i] <= p.Rounds && n[i]*p.Jobs[i].GPUs <= room; n[i]++ {
			try(i+1, room-n[i]*p.Jobs[i].GPUs)
		}
	}
	try(0, p.GPUs*p.Rounds)
	return best, ok
}

// The solver's value is the optimum of all counts, and its bound no less.
func TestOptimum(t *testing.T) {
	r, feasible := rand.New(rand.NewPCG(1, 2)), 0
	var s Solver
	for i := range 1500 {
		p := draw(r, 1+r.IntN(4), 1+r.IntN(4), 1<<r.IntN(4), i%2 == 0)
		want, ok := brute(p)
		got, has := s.Solve(p)
		if ok != has {
			t.Fatalf("case %d: solved %v, brute force %v: %+v", i, has, ok, p)
		}
		if !ok {
			continue
		}
		feasible++
		if v, largest := p.objective(got.Rounds); math.Abs(got.Value-want) > 1e-9*max(1, math.Abs(want)) ||
			v != got.Value || largest != got.Largest {
			t.Fatalf("case %d: value %v (%v), brute force %v: %+v", i, got.Value, v, want, p)
		}
		if got.Bound < want-1e-9*max(1, math.Abs(want)) {
			t.Fatalf("case %d: bound %v below the optimum %v", i, got.Bound, want)
		}
	}
	if feasible < 900 {
		t.Errorf("%d feasible cases, expected most", feasible)
	}
}

// relaxation is the linear relaxation of the window, by the simplex method.
func relaxation(t *testing.T, p *Problem) float64 {
	var q lp.Problem
	q.Maximise = true
	inf := math.Inf(1)
	room := q.AddRow(-inf, float64(p.GPUs*p.Rounds))
	base := 0.0
	var rows, limits []int
	for i := range p.Jobs {
		j := &p.Jobs[i]
		base += p.worth(j, 0)
		rows = append(rows, q.AddRow(j.Left, inf)) // time given + M >= left
		limits = append(limits, q.AddRow(j.Left-min(j.Limit, 1e12), inf))
	}
	largest := make([]lp.Entry, len(rows))
	for i, r := range rows {
		largest[i] = lp.Entry{Row: r, Value: 1}
	}
	q.AddColumn(-p.K, 0, inf, largest...)
	for i := range p.Jobs {
		j := &p.Jobs[i]
		for n := 1; n <= p.useful(j); n++ {
			gain := min(float64(n)*p.RoundS, (j.Epochs-j.Done)*j.EpochS) - float64(n-1)*p.RoundS
			q.AddColumn((p.worth(j, n)-p.worth(j, n-1))/p.norm(), 0, 1, lp.Entry{Row: room, Value: float64(j.GPUs)},
				lp.Entry{Row: rows[i], Value: gain}, lp.Entry{Row: limits[i], Value: gain})
		}
	}
	var s lp.Solver
	r, err := s.Solve(&q, lp.Basis{})
	if err != nil || r.Status != lp.Optimal {
		t.Fatalf("%v, %v", r.Status, err)
	}
	return base/p.norm() + r.Objective
}

// On windows of the size that traces give the value is within the gap asked for of the bound, and
// the bound no more than the linear relaxation's, which counts parts of rounds.
func TestBound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Solver
	worst, mean := 0.0, 0.0
	const cases = 25
	for range cases {
		p := draw(r, 40+r.IntN(60), 20, 32, false)
		p.Gap, p.K = 1e-3, 1e-3
		got, ok := s.Solve(p)
		if !ok {
			t.Fatal("no solution without limits")
		}
		upper := relaxation(t, p)
		if got.Bound > upper+1e-7*math.Abs(upper) {
			t.Errorf("bound %v above that of the simplex method, %v", got.Bound, upper)
		}
		gap := (upper - got.Value) / (upper - got.None)
		worst, mean = max(worst, gap), mean+gap/cases
		if inner := (got.Bound - got.Value) / math.Abs(got.Value); inner > 1e-3 {
			t.Errorf("value %v, bound %v: apart by %v", got.Value, got.Bound, inner)
		}
	}
	t.Logf("gap to the linear relaxation: mean %.2e, at most %.2e", mean, worst)
	if worst > 0.02 {
		t.Errorf("the linear relaxation is above by up to %v", worst)
	}
}

// Each job is in as many rounds as it should be, none twice in one, no round too full, and what
// fits no round is little.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Solver
	lost, worst := 0.0, 0.0
	const cases = 200
	for range cases {
		p := draw(r, 30+r.IntN(60), 20, 32, false)
		p.K, p.Gap = 1e-3, 1e-3
		got, _ := s.Solve(p)
		priority := make([]float64, len(p.Jobs))
		for i := range priority {
			priority[i] = p.Jobs[i].Weight
		}
		rounds, counts, value := s.Order(p, got.Rounds, priority)
		counts = slices.Clone(counts)
		for _, list := range rounds {
			used := 0
			for k, i := range list {
				used += p.Jobs[i].GPUs
				counts[i]--
				if slices.Contains(list[:k], i) {
					t.Fatal("a job is twice in a round")
				}
			}
			if used > p.GPUs {
				t.Fatalf("%d of %d GPUs", used, p.GPUs)
			}
		}
		if slices.ContainsFunc(counts, func(n int) bool { return n != 0 }) {
			t.Fatalf("the counts are not those of the rounds: off by %v", counts)
		}
		gap := (got.Bound - value) / (got.Bound - got.None)
		lost, worst = lost+gap/cases, max(worst, gap)
	}
	t.Logf("what a window adds falls short of the bound by %.2e in the mean, %.2e at most", lost, worst)
	if lost > 0.005 || worst > 0.05 {
		t.Errorf("rounds lose %v of the value, %v at most", lost, worst)
	}
}

// The sum of priorities x mean rounds against all ways to order small windows.
func TestOrderIsNearTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var s Solver
	sum, best := 0.0, 0.0
	for range 60 {
		p := draw(r, 4, 3, 4, false)
		got, _ := s.Solve(p)
		priority := []float64{1, 1 + 9*r.Float64(), 1 + 9*r.Float64(), 1}
		rounds, counts, _ := s.Order(p, got.Rounds, priority)
		cost := func(in func(job, round int) bool) (c float64) {
			for i := range p.Jobs {
				for r := range p.Rounds {
					if in(i, r) {
						c += priority[i] * float64(r) / float64(counts[i])
					}
				}
			}
			return c
		}
		sum += cost(func(i, r int) bool { return slices.Contains(rounds[r], i) })
		least := math.Inf(1)
		for bits := range 1 << (len(p.Jobs) * p.Rounds) {
			in := func(i, r int) bool { return bits>>(i*p.Rounds+r)&1 == 1 }
			ok := true
			for i := range p.Jobs {
				n := 0
				for r := range p.Rounds {
					if in(i, r) {
						n++
					}
				}
				ok = ok && n == counts[i]
			}
			for r := 0; r < p.Rounds && ok; r++ {
				used := 0
				for i := range p.Jobs {
					if in(i, r) {
						used += p.Jobs[i].GPUs
					}
				}
				ok = used <= p.GPUs
			}
			if ok {
				least = min(least, cost(in))
			}
		}
		best += least
	}
	t.Logf("%.4f times the best", sum/best)
	if sum > 1.05*best {
		t.Errorf("%.4f times the best", sum/best)
	}
}

// By hand: two GPUs, two rounds, three jobs of one GPU. The job with most left must have both
// rounds where k is large; then the jobs that have not begun come before one that is half done.
func TestByHand(t *testing.T) {
	p := &Problem{GPUs: 2, Rounds: 2, RoundS: 100, K: 1, Bases: []float64{0, 0.5, 1}, Floor: 0.01, Jobs: []Job{
		{GPUs: 1, Left: 1000, EpochS: 100, Done: 5, Epochs: 15, Weight: 1, Limit: math.Inf(1)},
		{GPUs: 1, Left: 200, EpochS: 100, Epochs: 2, Weight: 1, Limit: math.Inf(1)},
		{GPUs: 1, Left: 200, EpochS: 100, Done: 1, Epochs: 3, Weight: 1, Limit: math.Inf(1)},
	}}
	var s Solver
	got, ok := s.Solve(p)
	if !ok || !slices.Equal(got.Rounds, []int{2, 1, 1}) || got.Largest != 800 {
		t.Errorf("%+v", got)
	}
	// log~ is straight from log .01 at 0 to log .5 at .5 to 0 at 1.
	log := func(x float64) float64 {
		if x < 0.5 {
			return math.Log(0.01) + (math.Log(0.5)-math.Log(0.01))*x/0.5
		}
		return math.Log(0.5) * (1 - x) / 0.5
	}
	if want := (log(7./15)+log(0.5)+log(2./3))/6 - 800; math.Abs(got.Value-want) > 1e-12 {
		t.Errorf("value %v, want %v", got.Value, want)
	}
	p.Jobs[2].Limit = 0 // it must end, which takes both rounds of the other GPU
	if got, ok = s.Solve(p); !ok || !slices.Equal(got.Rounds, []int{2, 0, 2}) {
		t.Errorf("%+v %v", got, ok)
	}
	p.Jobs[1].Limit = 0 // now three jobs need six rounds of four
	p.Jobs[0].Limit = 800
	if _, ok = s.Solve(p); ok {
		t.Error("limits that cannot be kept were kept")
	}
}

// Nothing is allocated once warm.
func TestAllocates(t *testing.T) {
	p := draw(rand.New(rand.NewPCG(7, 8)), 80, 20, 32, false)
	p.K, p.Gap = 1e-3, 1e-3
	priority := slices.Repeat([]float64{1}, 80)
	var s Solver
	work := func() {
		got, _ := s.Solve(p)
		s.Order(p, got.Rounds, priority)
	}
	work()
	if n := testing.AllocsPerRun(5, work); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
