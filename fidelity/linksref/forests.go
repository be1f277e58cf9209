package linksref

import (
	"fmt"

	"tarry/baselines/cassini/circle"
	"tarry/fidelity/reference"
)

// compareForest compares the optimum of each link, the one shift of each job, the score after that,
// and the average over all times, which no shift of the traversal changes.
func compareForest(v *reference.Case) {
	x, ok := reference.Decode[circleCase](v)
	if !ok {
		return
	}
	jobs := demands(x.Jobs)
	var g circle.Graph
	g.Reset(len(jobs))
	for i, l := range x.PerLink {
		forestLink(v, &x, jobs, l)
		g.Link(x.Links[i], parts(v, l.Shifts, x.Angles))
	}
	if g.Loops() {
		v.Errorf("a loop, there none")
	}
	periods, shifts := []int64{}, []int64{}
	for _, j := range jobs {
		periods, shifts = append(periods, j.Period*int64(x.Angles)), append(shifts, circle.Unset)
	}
	shifts[0] = 0
	g.Traverse(0, periods, shifts)
	for i, want := range parts(v, x.Cluster, x.Angles) {
		if shifts[i] != want {
			v.Errorf("shift %d of job %d, there %d", shifts[i], i, want)
		}
	}
	mean := 0.0
	for i, l := range x.PerLink {
		mean += afterwards(v, &x, i, pick(jobs, l.Jobs), pick(shifts, l.Jobs)) / float64(len(x.PerLink))
	}
	v.Near("the mean score", mean, float64(x.Mean), 1e-9)
}

// afterwards compares a link after the traversal, and gives its score.
//
// The average there leaves out the times before the first change of a demand where no change is at 0
// (one link of the set that ships). Ours is compared with the score at so many angles that all changes
// fall on one, and the difference has to be these times.
func afterwards(v *reference.Case, x *circleCase, i int, jobs []circle.Job, at []int64) float64 {
	var c, fine circle.Circle
	l := x.PerLink[i]
	c.Open(x.Capacity, x.Angles, jobs, most)
	score, average := c.Score(at), c.Average(at)
	v.Near(fmt.Sprint("the score of link ", i), score, float64(x.After[i]), 1e-9)
	v.Near(fmt.Sprint("the average before, of link ", i), average, c.Average(parts(v, l.Shifts, x.Angles)), 1e-9)
	fine.Open(x.Capacity, x.Angles*int(c.Perimeter()), jobs, most)
	finer := make([]int64, len(at))
	for k := range at {
		finer[k] = at[k] * c.Perimeter()
	}
	v.Near(fmt.Sprint("the average by many angles, of link ", i), fine.Score(finer), average, 1e-9)
	there := float64(x.Later[i])
	if off := average - there; off < -1e-9 || off > 1e-9 {
		v.Near(fmt.Sprint("the average without the times before the first change, of link ", i),
			average+early(x, jobs, at, c.Perimeter()), there, 1e-9)
	}
	if off := score - float64(l.Score); (off > -1e-9 && off < 1e-9) != x.Kept[i] {
		v.Errorf("link %d has the score %v, before %v, there kept: %v", i, score, l.Score, x.Kept[i])
	}
	return score
}

// early is the part of the score that the times before the first change of a demand take away. A job
// whose arc ends in its next iteration changes where an iteration begins, too.
func early(x *circleCase, jobs []circle.Job, at []int64, perimeter int64) float64 {
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
func forestLink(v *reference.Case, x *circleCase, jobs []circle.Job, l circleLink) {
	var c circle.Circle
	on := pick(jobs, l.Jobs)
	if !c.Open(x.Capacity, x.Angles, on, most) || c.Perimeter() != l.Perimeter {
		v.Errorf("perimeter %d, there %d", c.Perimeter(), l.Perimeter)
	}
	score, exact := c.Best(make([]int64, len(on)))
	if v.Near("the best score of a link", score, float64(l.Score), 1e-9); !exact {
		v.Errorf("the search is not exact")
	}
	v.Near("the score at the shifts there, of a link", c.Score(parts(v, l.Shifts, x.Angles)), score, 1e-9)
}

func pick[T any](from []T, which []int32) (out []T) {
	for _, i := range which {
		out = append(out, from[i])
	}
	return out
}
