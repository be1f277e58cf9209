package linksref

import (
	"fmt"
	"math"
	"slices"

	"tarry/fidelity/reference"
	"tarry/sim/network/phased"
)

// phaseCase is a group of jobs that compute and transfer in turns.
type phaseCase struct {
	Capacity []number
	Jobs     []struct {
		Compute, Volume, Weight, Offset number
		Links                           []int32
		Priority                        int8
		ReleaseAt                       number  `json:"release_at"`
		MaxRate                         *number `json:"max_rate"`
	}
	Periodic bool
	Mean     []number   `json:"mean_iteration"`
	LastHalf []number   `json:"mean_iteration_last_half"`
	Error    []number   `json:"relative_error_about"`
	Ends     [][]number `json:"first_iteration_ends"`
	Compute  []number   `json:"compute_part"`
	Busy     []number   `json:"link_busy"`
}

// group is the case as package phased has it, and the iterations that are expected.
func (c *phaseCase) group() (jobs []phased.Job, want []number) {
	for _, j := range c.Jobs {
		k := phased.Job{ComputeS: float64(j.Compute), VolumeS: float64(j.Volume), Release: float64(j.ReleaseAt),
			Weight: float64(j.Weight), Level: j.Priority, OffsetS: float64(j.Offset), Links: over(j.Links...)}
		if j.MaxRate != nil {
			k.MaxRate = float64(*j.MaxRate)
		}
		jobs = append(jobs, k)
	}
	if c.Periodic {
		return jobs, c.Mean
	}
	return jobs, c.LastHalf
}

func over(links ...int32) (out []phased.Crossing) {
	for _, l := range links {
		out = append(out, phased.Crossing{Link: l})
	}
	return out
}

// within is how closely iterations are to be met without rounding. States that never recur are
// chaotic, or converge: there a mean of a long run is stated, with its error, or good to an iteration
// of that run.
func (c *phaseCase) within() float64 {
	if c.Periodic {
		return 1e-9
	}
	by := 5e-5
	for _, e := range c.Error {
		if e > 1e-6 && !math.IsInf(float64(e), 1) {
			by = max(by, .01, 2*float64(e))
		}
	}
	return by
}

// comparePhases plays a case without rounding, and as a run does, with an error for judgePhases.
func comparePhases(v *reference.Case) {
	c, ok := reference.Decode[phaseCase](v)
	if !ok {
		return
	}
	jobs, want := c.group()
	links, out := floats(c.Capacity), make([]phased.Result, len(jobs))
	exact := phased.Group{Exact: true, Events: 240000}
	if end := exact.Settle(jobs, links, out); c.Periodic && !end.Settled {
		v.Errorf("not settled")
	}
	for i := range jobs {
		v.Near(fmt.Sprint("the iteration of job ", i), out[i].IterationS, float64(want[i]), c.within())
		if i < len(c.Compute) {
			v.Near(fmt.Sprint("the compute part of job ", i), jobs[i].ComputeS/out[i].IterationS, float64(c.Compute[i]), 1e-9)
		}
	}
	for l := range c.Busy {
		busy := 0.0
		for i, j := range jobs {
			if slices.Contains(j.Links, phased.Crossing{Link: int32(l)}) {
				busy += j.VolumeS / out[i].IterationS / links[l]
			}
		}
		v.Near(fmt.Sprint("the busy part of link ", l), busy, float64(c.Busy[l]), 1e-9)
	}
	var g phased.Group
	g.Settle(jobs, links, out)
	for i := range jobs {
		if got := out[i].IterationS; got != float64(want[i]) {
			v.Extra = max(v.Extra, math.Abs(got/float64(want[i])-1))
		}
	}
	if !(v.Extra <= .05) {
		v.Errorf("with the rounding of a run an iteration is off by %.3g, expected at most .05", v.Extra)
	}
}

// judgePhases: the median of the errors with the rounding of a run is to be none.
func judgePhases(file string, o *reference.Outcome, cases []*reference.Case) {
	var errs []float64
	for _, v := range cases {
		errs = append(errs, v.Extra)
	}
	slices.Sort(errs)
	median, worst := errs[len(errs)/2], errs[len(errs)-1]
	o.Beyond = append(o.Beyond, fmt.Sprintf("%s: with the rounding of a run the median error is %.2g, the largest %.2g",
		file, median, worst))
	if median > 1e-9 {
		o.Short = append(o.Short, fmt.Sprintf("%s: with the rounding of a run the median error is %.3g, expected none", file,
			median))
	}
}
