package circle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// whole is a job that asks for a whole link of capacity 1 in one arc.
func whole(period, start, length int64) Job {
	return Job{Period: period, Arcs: []Arc{{start, length, 1}}}
}

func opened(t testing.TB, angles int, jobs ...Job) *Circle {
	t.Helper()
	var c Circle
	if !c.Open(1, angles, jobs, 1<<40) {
		t.Fatal("the perimeter is too long")
	}
	return &c
}

// Two jobs of half a circle: all of one is beside the other, half of it, none.
func TestHalvesByHand(t *testing.T) {
	c := opened(t, 8, whole(8, 0, 4), whole(8, 0, 4))
	for shift, want := range map[int64]float64{0: 0.5, 2: 0.75, 4: 1, 6: 0.75} {
		at := []int64{0, shift * 8}
		if got, all := c.Score(at), c.Average(at); got != want || all != want {
			t.Errorf("shift %d: %v, over all times %v, expected %v", shift, got, all, want)
		}
	}
	at := []int64{0, 0}
	if score, exact := c.Best(at); score != 1 || !exact || at[1] != 4*8 {
		t.Errorf("%v at %v, exact %v", score, at, exact)
	}
}

// A perimeter that is too long is refused.
func TestPerimeterIsBounded(t *testing.T) {
	var c Circle
	jobs := []Job{whole(1<<40-1, 0, 1), whole(1<<40-3, 0, 1)}
	if c.Open(1, 72, jobs, 1<<45) {
		t.Errorf("a perimeter of %d", c.Perimeter())
	}
	if !c.Open(1, 72, jobs[:1], 1<<40) {
		t.Error("one job has no circle")
	}
}

// draw is some jobs of several arcs whose periods divide a small number.
func draw(r *rand.Rand, n int) []Job {
	periods := []int64{10, 20, 30, 60}
	jobs := make([]Job, n)
	for i := range jobs {
		jobs[i].Period = periods[r.IntN(len(periods))]
		for range 1 + r.IntN(2) {
			jobs[i].Arcs = append(jobs[i].Arcs, Arc{r.Int64N(jobs[i].Period), 1 + r.Int64N(jobs[i].Period/2),
				0.5 + float64(r.IntN(2))/2})
		}
	}
	return jobs
}

// brute is the best score over all rotations, by Score alone.
func brute(c *Circle, shifts []int64, i int) float64 {
	if i == len(c.jobs) {
		return c.Score(shifts)
	}
	best := math.Inf(-1)
	for m := range int64(c.rotations[i]) {
		shifts[i] = m * c.perimeter
		best = max(best, brute(c, shifts, i+1))
	}
	return best
}

// Best is the optimum with up to three jobs, and with more where it reports so; it is never above
// it, and the shifts have the score.
func TestBestIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cut := 0
	for try := range 300 {
		n := 1 + try%5
		c := opened(t, 6, draw(r, n)...)
		want := brute(c, make([]int64, n), 1)
		shifts := make([]int64, n)
		for i := range shifts {
			shifts[i] = []int64{Unset, 0, r.Int64N(60 * 6)}[r.IntN(3)]
		}
		got, exact := c.Best(shifts)
		if math.Abs(got-c.Score(shifts)) > 1e-12 || exact && math.Abs(got-want) > 1e-9 || got > want+1e-9 ||
			n <= 3 && !exact {
			t.Fatalf("%v: %v at %v, exact %v, the best is %v", c.jobs, got, shifts, exact, want)
		}
		if !exact {
			cut++
		}
	}
	t.Logf("%d of 300 searches were cut", cut)
}

// The search among many jobs ends, and states that it was cut.
func TestSearchIsBounded(t *testing.T) {
	var jobs []Job
	for i := range int64(6) {
		jobs = append(jobs, Job{60, []Arc{{7 * i, 14, 0.7}}})
	}
	c := opened(t, 72, jobs...)
	shifts := make([]int64, len(jobs))
	if score, exact := c.Best(shifts); exact || math.Abs(score-c.Score(shifts)) > 1e-12 {
		t.Errorf("score %v of shifts with %v, exact %v", score, c.Score(shifts), exact)
	}
}

// A common shift, or another job that is fixed, changes no score; shifts that are as good as any stay.
func TestRotationsAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		jobs := draw(r, 3)
		c := opened(t, 12, jobs...)
		shifts := []int64{0, r.Int64N(700), r.Int64N(700)}
		score, all := c.Score(shifts), c.Average(shifts)
		for i := range shifts {
			shifts[i] += c.perimeter // a step of the grid, in twelfths of a tick
		}
		if got := c.Score(shifts); math.Abs(got-score) > 1e-12 || math.Abs(c.Average(shifts)-all) > 1e-9 {
			t.Fatalf("%v: score %v after a common shift, before %v", jobs, got, score)
		}
		best, _ := c.Best(shifts)
		was := slices.Clone(shifts)
		if again, _ := c.Best(shifts); again != best || !slices.Equal(shifts, was) {
			t.Fatalf("%v: %v at %v, then %v at %v", jobs, best, was, again, shifts)
		}
		slices.Reverse(jobs)
		c = opened(t, 12, jobs...)
		if got, _ := c.Best(make([]int64, 3)); math.Abs(got-best) > 1e-9 && laps(c) {
			t.Fatalf("%v: %v with the last job fixed, %v with the first", jobs, got, best)
		}
	}
}

// laps reports whether each job has a whole number of rotations.
func laps(c *Circle) bool {
	return !slices.ContainsFunc(c.jobs, func(j Job) bool { return int64(c.angles)%(c.perimeter/j.Period) != 0 })
}

// The closed form of two jobs is the best over all whole shifts; where iteration times have no
// common divisor but 1 it comes near to the mean over all times.
func TestTwoJobs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		t1, t2 := 2+r.Int64N(30), 2+r.Int64N(30)
		v1, v2 := 1+r.Int64N(t1), 1+r.Int64N(t2)
		c := opened(t, 1, whole(t1, 0, v1), whole(t2, 0, v2))
		best := math.Inf(-1)
		for s := range t2 {
			best = max(best, c.Average([]int64{0, s}))
		}
		if got := Two(t1, v1, t2, v2); math.Abs(got-best) > 1e-12 {
			t.Fatalf("%d of %d beside %d of %d: %v, over all shifts %v", v1, t1, v2, t2, got, best)
		}
	}
	if got, want := Two(10007, 3000, 10009, 4000), Random([]float64{3000. / 10007, 4000. / 10009}); math.Abs(
		got-want) > 1e-3 {
		t.Errorf("%v, at random times %v", got, want)
	}
}

// Random by hand: each alone, two halves, three that fill the link all the time.
func TestRandomByHand(t *testing.T) {
	for _, c := range []struct {
		parts []float64
		want  float64
	}{{nil, 1}, {[]float64{0.7}, 1}, {[]float64{0.5, 0.5}, 0.75}, {[]float64{1, 1, 1}, -1}} {
		if got := Random(c.parts); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, expected %v", c.parts, got, c.want)
		}
	}
}

// Equal periods and transfers that fit one after the other: shifts 0, v, 2v.. have score 1.
func TestTransfersInTurn(t *testing.T) {
	for n := int64(2); n <= 6; n++ {
		jobs, shifts := []Job{}, []int64{}
		for i := range n {
			jobs, shifts = append(jobs, whole(72, 5, 72/n)), append(shifts, i*(72/n)*72)
		}
		c := opened(t, 72, jobs...)
		if got := c.Average(shifts); got != 1 {
			t.Errorf("%d jobs in turn: %v", n, got)
		}
		if got, _ := c.Best(make([]int64, n)); got != 1 {
			t.Errorf("%d jobs: the best is %v", n, got)
		}
	}
}

// A search and a score allocate nothing once warm.
func TestAllocations(t *testing.T) {
	jobs := draw(rand.New(rand.NewPCG(7, 8)), 4)
	var c Circle
	var g Graph
	shifts, periods := make([]int64, 4), []int64{1, 2, 3, 4}
	if n := testing.AllocsPerRun(3, func() {
		c.Open(1, 72, jobs, 1<<40)
		c.Best(shifts)
		c.Average(shifts)
		g.Reset(4)
		g.Link([]int32{0, 1, 2, 3}, shifts)
		g.Loops()
		g.Traverse(0, periods, shifts)
	}); n != 0 {
		t.Errorf("%v allocations, expected none", n)
	}
}

func BenchmarkBest(b *testing.B) {
	b.ReportAllocs()
	jobs := []Job{whole(300_000, 200_000, 90_000), whole(300_000, 0, 120_000), whole(600_000, 10, 200_000)}
	var c Circle
	shifts := make([]int64, len(jobs))
	for b.Loop() {
		for i := range shifts {
			shifts[i] = Unset
		}
		c.Open(1, 72, jobs, 1<<40)
		c.Best(shifts)
	}
}
