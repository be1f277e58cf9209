package circle_test

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"tarry/baselines/cassini/circle"
	"tarry/internal/sharedata"
)

// job is a job of the reference instances.
type job struct {
	Iteration int64
	Arcs      []struct {
		Start, Length int64
		Demand        float64
	}
}

func demands(jobs []job) (out []circle.Job) {
	for _, j := range jobs {
		d := circle.Job{Period: j.Iteration}
		for _, a := range j.Arcs {
			d.Arcs = append(d.Arcs, circle.Arc(a))
		}
		out = append(out, d)
	}
	return out
}

// fraction is an exact number, a text p/q.
type fraction string

func (f fraction) rat(t *testing.T) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(string(f))
	if !ok {
		t.Fatalf("%q is no fraction", f)
	}
	return r
}

func (f fraction) float(t *testing.T) float64 {
	t.Helper()
	x, _ := f.rat(t).Float64()
	return x
}

// parts gives times in parts of a tick; each is a whole number of them.
func parts(t *testing.T, times []fraction, angles int) (out []int64) {
	t.Helper()
	for _, f := range times {
		r := new(big.Rat).Mul(f.rat(t), big.NewRat(int64(angles), 1))
		if !r.IsInt() {
			t.Fatalf("%s is no whole number of %d-ths", f, angles)
		}
		out = append(out, r.Num().Int64())
	}
	return out
}

// instance is a link, or in a forest several.
type instance struct {
	Name       string
	Capacity   float64
	Angles     int
	Jobs       []job
	Perimeter  int64
	Score      fraction   `json:"best_score"`
	AtZero     fraction   `json:"score_at_zero"`
	Shifts     []fraction `json:"first_best_shifts"`
	Average    fraction   `json:"time_average_score_at_first_best"`
	NoGrid     fraction   `json:"best_score_no_grid"`
	Links      [][]int32
	PerLink    []perLink  `json:"per_link"`
	Cluster    []fraction `json:"cluster_shift"`
	After      []fraction `json:"score_after"`
	AverageEnd []fraction `json:"time_average_after"`
	Kept       []bool     `json:"grid_score_kept"`
	Mean       fraction   `json:"mean_score"`
}

type perLink struct {
	Jobs      []int32
	Score     fraction
	Shifts    []fraction
	Perimeter int64
}

// instances reads a file of the reference set, wherever it has that form.
func instances(t *testing.T, forests bool) (all []instance) {
	t.Helper()
	for _, path := range sharedata.References(t, "*cassini*/*.json") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var some []instance
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, x := range some {
			if x.Name = filepath.Base(path) + " " + x.Name; (len(x.PerLink) > 0) == forests {
				all = append(all, x)
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("the reference set has no instance of this kind")
	}
	return all
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// Each link of the reference set: perimeter, the best score, the scores at no shift and at the best
// shifts listed there, over angles and over all times.
func TestReferenceLinks(t *testing.T) {
	for _, x := range instances(t, false) {
		var c circle.Circle
		jobs := demands(x.Jobs)
		if !c.Open(x.Capacity, x.Angles, jobs, 1<<40) || c.Perimeter() != x.Perimeter {
			t.Errorf("%s: perimeter %d, there %d", x.Name, c.Perimeter(), x.Perimeter)
			continue
		}
		shifts := make([]int64, len(jobs))
		if got := c.Score(shifts); !near(got, x.AtZero.float(t)) {
			t.Errorf("%s: without shifts %v, there %s", x.Name, got, x.AtZero)
		}
		for _, start := range []int64{0, circle.Unset} {
			for i := range shifts {
				shifts[i] = start
			}
			got, exact := c.Best(shifts)
			if again := c.Score(shifts); !near(got, x.Score.float(t)) || !near(again, got) || !exact {
				t.Errorf("%s: %v at %v, which has %v, there %s; exact %v", x.Name, got, shifts, again, x.Score, exact)
			}
		}
		there := parts(t, x.Shifts, x.Angles)
		if got := c.Score(there); !near(got, x.Score.float(t)) {
			t.Errorf("%s: %v at the shifts %v, there %s", x.Name, got, x.Shifts, x.Score)
		}
		if got := c.Average(there); !near(got, x.Average.float(t)) {
			t.Errorf("%s: %v over all times at %v, there %s", x.Name, got, x.Shifts, x.Average)
		}
		if len(jobs) == 2 && x.NoGrid != "" {
			if got := noGrid(&c, jobs, int64(x.Angles)); !near(got, x.NoGrid.float(t)) {
				t.Errorf("%s: %v without angles, there %s", x.Name, got, x.NoGrid)
			}
		}
	}
}

// noGrid is the best average of two jobs over all shifts: one of the best aligns two edges.
func noGrid(c *circle.Circle, jobs []circle.Job, angles int64) float64 {
	best := math.Inf(-1)
	edges := func(j circle.Job) (out []int64) {
		for _, a := range j.Arcs {
			out = append(out, a.Start, a.Start+a.Length)
		}
		return out
	}
	for lap := int64(0); lap < c.Perimeter(); lap += jobs[0].Period {
		for _, a := range edges(jobs[0]) {
			for _, b := range edges(jobs[1]) {
				s := ((a+lap-b)%jobs[1].Period + jobs[1].Period) % jobs[1].Period
				best = max(best, c.Average([]int64{0, s * angles}))
			}
		}
	}
	return best
}

// Each forest of the reference set: the optimum of each link, the one shift of each job, the score
// after that, and the average over all times, which no shift of the traversal changes.
func TestReferenceForests(t *testing.T) {
	for _, x := range instances(t, true) {
		jobs := demands(x.Jobs)
		var g circle.Graph
		g.Reset(len(jobs))
		for i, l := range x.PerLink {
			forestLink(t, &x, jobs, l)
			g.Link(x.Links[i], parts(t, l.Shifts, x.Angles))
		}
		if g.Loops() {
			t.Errorf("%s has a loop, there none", x.Name)
		}
		periods, shifts := []int64{}, []int64{}
		for _, j := range jobs {
			periods, shifts = append(periods, j.Period*int64(x.Angles)), append(shifts, circle.Unset)
		}
		shifts[0] = 0
		g.Traverse(0, periods, shifts)
		want := parts(t, x.Cluster, x.Angles)
		for i := range shifts {
			if shifts[i] != want[i] {
				t.Errorf("%s: shift %d of job %d, there %d", x.Name, shifts[i], i, want[i])
			}
		}
		mean := 0.0
		for i, l := range x.PerLink {
			mean += afterwards(t, &x, i, pick(jobs, l.Jobs), pick(shifts, l.Jobs)) / float64(len(x.PerLink))
		}
		if !near(mean, x.Mean.float(t)) {
			t.Errorf("%s: the mean score is %v, there %s", x.Name, mean, x.Mean)
		}
	}
}

// afterwards compares a link after the traversal, and gives its score.
//
// The average there leaves out the times before the first change of a demand where no change is at 0
// (one link of the set that ships). Ours is compared with the score at so many angles that all changes
// fall on one, and the difference has to be these times.
func afterwards(t *testing.T, x *instance, i int, jobs []circle.Job, at []int64) float64 {
	t.Helper()
	var c, fine circle.Circle
	l := x.PerLink[i]
	c.Open(x.Capacity, x.Angles, jobs, 1<<40)
	before := c.Average(parts(t, l.Shifts, x.Angles))
	score, average := c.Score(at), c.Average(at)
	if !near(score, x.After[i].float(t)) || !near(average, before) {
		t.Errorf("%s: link %d: score %v, over all times %v, before %v, there %s", x.Name, i, score, average, before,
			x.After[i])
	}
	fine.Open(x.Capacity, x.Angles*int(c.Perimeter()), jobs, 1<<40)
	finer := make([]int64, len(at))
	for k := range at {
		finer[k] = at[k] * c.Perimeter()
	}
	if got := fine.Score(finer); !near(average, got) {
		t.Errorf("%s: link %d: %v over all times, with %d angles %v", x.Name, i, average, x.Angles*int(c.Perimeter()), got)
	}
	if there, early := x.AverageEnd[i].float(t), early(x, jobs, at, c.Perimeter()); !near(average, there) {
		t.Logf("%s: link %d: %v over all times, there %s without the times before the first change", x.Name, i, average,
			x.AverageEnd[i])
		if !near(average+early, there) {
			t.Errorf("%s: link %d: %v over all times, of which %v before the first change; there %s", x.Name, i, average,
				early, x.AverageEnd[i])
		}
	}
	if kept := near(score, l.Score.float(t)); kept != x.Kept[i] {
		t.Errorf("%s: link %d keeps its score: %v, there %v", x.Name, i, kept, x.Kept[i])
	}
	return score
}

// early is the part of the score that the times before the first change of a demand take away. A job
// whose arc ends in its next iteration changes where an iteration begins, too.
func early(x *instance, jobs []circle.Job, at []int64, perimeter int64) float64 {
	parts := int64(x.Angles)
	first := perimeter * parts
	for i, j := range jobs {
		for lap := int64(0); lap < perimeter; lap += j.Period {
			for _, a := range j.Arcs {
				edges := []int64{a.Start, a.Start + a.Length}
				if edges[1] > j.Period {
					edges = append(edges, 0)
				}
				for _, e := range edges {
					first = min(first, ((e+lap)*parts+at[i])%(perimeter*parts))
				}
			}
		}
	}
	sum := -x.Capacity
	for i, j := range jobs {
		for _, a := range j.Arcs {
			if p := j.Period * parts; ((-at[i]-a.Start*parts)%p+p)%p < a.Length*parts {
				sum += a.Demand
			}
		}
	}
	return max(0, sum) * float64(first) / (float64(perimeter*parts) * x.Capacity)
}

// forestLink compares the best shifts of a link of a forest.
func forestLink(t *testing.T, x *instance, jobs []circle.Job, l perLink) {
	t.Helper()
	var c circle.Circle
	on := pick(jobs, l.Jobs)
	if !c.Open(x.Capacity, x.Angles, on, 1<<40) || c.Perimeter() != l.Perimeter {
		t.Errorf("%s: perimeter %d, there %d", x.Name, c.Perimeter(), l.Perimeter)
	}
	shifts := make([]int64, len(on))
	score, exact := c.Best(shifts)
	if there := c.Score(parts(t, l.Shifts, x.Angles)); !near(score, l.Score.float(t)) || !near(there, score) || !exact {
		t.Errorf("%s: link of jobs %v: %v, at the shifts there %v, there %s", x.Name, l.Jobs, score, there, l.Score)
	}
}

func pick[T any](from []T, which []int32) (out []T) {
	for _, i := range which {
		out = append(out, from[i])
	}
	return out
}
