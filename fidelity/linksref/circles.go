package linksref

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"

	"tarry/baselines/cassini/circle"
	"tarry/fidelity/reference"
)

// shift is an exact time.
type shift struct{ *big.Rat }

// UnmarshalJSON reads "3/2".
func (s *shift) UnmarshalJSON(text []byte) error {
	var p string
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	r, ok := new(big.Rat).SetString(p)
	if !ok {
		return fmt.Errorf("%q, expected a fraction", p)
	}
	s.Rat = r
	return nil
}

// parts gives times in parts of a tick; each is to be a whole number of them.
func parts(v *reference.Case, times []shift, angles int) (out []int64) {
	for _, s := range times {
		r := new(big.Rat).Mul(s.Rat, big.NewRat(int64(angles), 1))
		if !r.IsInt() {
			v.Errorf("%s is no whole number of %d-ths", s, angles)
		}
		out = append(out, new(big.Int).Quo(r.Num(), r.Denom()).Int64())
	}
	return out
}

// circleJob is a job on a link.
type circleJob struct {
	Iteration int64
	Arcs      []struct {
		Start, Length int64
		Demand        float64
	}
}

func demands(jobs []circleJob) (out []circle.Job) {
	for _, j := range jobs {
		d := circle.Job{Period: j.Iteration}
		for _, a := range j.Arcs {
			d.Arcs = append(d.Arcs, circle.Arc(a))
		}
		out = append(out, d)
	}
	return out
}

// circleCase is a link, or in a forest several.
type circleCase struct {
	Capacity  float64
	Angles    int
	Jobs      []circleJob
	Perimeter int64
	Score     number  `json:"best_score"`
	AtZero    number  `json:"score_at_zero"`
	Shifts    []shift `json:"first_best_shifts"`
	Average   number  `json:"time_average_score_at_first_best"`
	NoGrid    *number `json:"best_score_no_grid"`
	Links     [][]int32
	PerLink   []circleLink `json:"per_link"`
	Cluster   []shift      `json:"cluster_shift"`
	After     []number     `json:"score_after"`
	Later     []number     `json:"time_average_after"`
	Kept      []bool       `json:"grid_score_kept"`
	Mean      number       `json:"mean_score"`
}

// circleLink is a link of a forest.
type circleLink struct {
	Jobs      []int32
	Score     number
	Shifts    []shift
	Perimeter int64
}

// most bounds perimeters: none of a case is as long.
const most = 1 << 40

// compareCircle compares the perimeter of a link, the best score, and the scores at no shift and at
// the shifts of the case, over angles and over all times.
func compareCircle(v *reference.Case) {
	x, ok := reference.Decode[circleCase](v)
	if !ok {
		return
	}
	var c circle.Circle
	jobs := demands(x.Jobs)
	if !c.Open(x.Capacity, x.Angles, jobs, most) || c.Perimeter() != x.Perimeter {
		v.Errorf("perimeter %d, there %d", c.Perimeter(), x.Perimeter)
		return
	}
	shifts := make([]int64, len(jobs))
	v.Near("the score without shifts", c.Score(shifts), float64(x.AtZero), 1e-9)
	for _, start := range []int64{0, circle.Unset} {
		for i := range shifts {
			shifts[i] = start
		}
		got, exact := c.Best(shifts)
		if v.Near("the best score", got, float64(x.Score), 1e-9); !exact {
			v.Errorf("the search is not exact")
		}
		v.Near("the score at our shifts", c.Score(shifts), got, 1e-9)
	}
	there := parts(v, x.Shifts, x.Angles)
	v.Near("the score at the shifts there", c.Score(there), float64(x.Score), 1e-9)
	v.Near("the average at the shifts there", c.Average(there), float64(x.Average), 1e-9)
	if len(jobs) == 2 && x.NoGrid != nil {
		v.Near("the best score without angles", noGrid(&c, jobs, int64(x.Angles)), float64(*x.NoGrid), 1e-9)
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
