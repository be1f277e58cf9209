package linksref

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tarry/fidelity/reference"
	"tarry/sim/network/phased"
)

// mean is a mean iteration, exact where it is given as a fraction, else of a long run.
type mean struct {
	number
	exact bool
}

// UnmarshalJSON reads it.
func (m *mean) UnmarshalJSON(text []byte) error {
	m.exact = len(text) > 0 && text[0] == '"' || string(text) == "null"
	return json.Unmarshal(text, &m.number)
}

// shiftCase is a case of jobs on one link.
type shiftCase struct {
	Jobs     []struct{ Compute, Volume number }
	Shifts   []number
	Together []mean `json:"fair_together"`
	Shifted  []mean `json:"fair_shifted"`
	Priority []mean `json:"priority_by_index"`
	Turns    []mean `json:"one_at_a_time"`
}

// compareInterleaving plays jobs on one link at once, shifted, by priority and one at a time.
func compareInterleaving(v *reference.Case) {
	c, ok := reference.Decode[shiftCase](v)
	if !ok {
		return
	}
	var jobs []phased.Job
	for _, j := range c.Jobs {
		jobs = append(jobs, phased.Job{ComputeS: float64(j.Compute), VolumeS: float64(j.Volume), Release: 1,
			Links: over(0)})
	}
	shifted, ranked := slices.Clone(jobs), slices.Clone(jobs)
	for i := range jobs {
		shifted[i].OffsetS = float64(c.Shifts[i])
		ranked[i].Level = int8(-i)
	}
	out := make([]phased.Result, len(jobs))
	for _, x := range []struct {
		name string
		jobs []phased.Job
		want []mean
	}{{"together", jobs, c.Together}, {"shifted", shifted, c.Shifted}, {"by priority", ranked, c.Priority}} {
		g := phased.Group{Exact: true, Events: 60000}
		g.Settle(x.jobs, []float64{1}, out)
		for i := range out {
			by := 1e-9
			if !x.want[i].exact {
				by = .01
			}
			v.Near(fmt.Sprintf("%s: the iteration of job %d", x.name, i), out[i].IterationS, float64(x.want[i].number), by)
		}
	}
	for i, got := range inTurns(jobs) {
		v.Near(fmt.Sprint("one at a time: the iteration of job ", i), got, float64(c.Turns[i].number), 1e-9)
	}
}

// inTurns replays one transfer at a time on one link, in order of release and then of index, until
// the times to the next releases recur, and gives the mean iterations from then on.
func inTurns(jobs []phased.Job) []float64 {
	n := len(jobs)
	ready, count := make([]float64, n), make([]int, n)
	for i, j := range jobs {
		ready[i] = j.ComputeS
	}
	var was, counted []float64
	free, at := 0.0, 0.0
	for k := range 100000 {
		next := 0
		for i := range jobs {
			if ready[i] < ready[next]-1e-9 {
				next = i
			}
		}
		free = max(free, ready[next]) + jobs[next].VolumeS
		ready[next] = free + jobs[next].ComputeS
		count[next]++
		if k < 1000 {
			continue
		}
		same := true
		for i := range jobs {
			same = same && was != nil && math.Abs(ready[i]-free-was[i]) < 1e-9
		}
		if was == nil {
			for i := range jobs {
				was, counted = append(was, ready[i]-free), append(counted, float64(count[i]))
			}
			at = free
		}
		if same {
			break
		}
	}
	means := make([]float64, n)
	for i := range jobs {
		means[i] = (free - at) / (float64(count[i]) - counted[i])
	}
	return means
}
