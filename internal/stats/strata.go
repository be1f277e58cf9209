package stats

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim/rng"
)

// Strata holds the scores of one policy: one slice of runs per task (workload,
// cluster). Runs are resampled within their task only.
type Strata [][]float64

// Pool gives all scores together.
func (st Strata) Pool() []float64 { return slices.Concat(st...) }

// IQM is the interquartile mean over all scores together.
func (st Strata) IQM() float64 { return IQM(st.Pool()) }

// Mean is the mean over tasks of the tasks' means.
func (st Strata) Mean() float64 { return Mean(st.means()) }

// Median is the median over tasks of the tasks' means.
func (st Strata) Median() float64 { return Quantiles(st.means(), 0.5)[0] }

func (st Strata) means() []float64 {
	out := make([]float64, len(st))
	for i, x := range st {
		out[i] = Mean(x)
	}
	return out
}

// Stratified gives the percentile bootstrap interval of a statistic (Strata.IQM, ...).
func Stratified(s *rng.Stream, st Strata, stat func(Strata) float64, o Options) Interval {
	return stratified(s, []Strata{st}, func(all []Strata) float64 { return stat(all[0]) }, o)
}

// ImprovementProbability is the mean over tasks of P(x < y) (or x > y when higher is
// better), ties half, for policies x and y that ran independently: the Mann-Whitney
// statistic over its maximum. For runs in pairs use Paired. x and y have the same tasks.
func ImprovementProbability(s *rng.Stream, x, y Strata, higherIsBetter bool, o Options) (Interval, error) {
	if len(x) != len(y) {
		return Interval{}, fmt.Errorf("stats: %d tasks against %d", len(x), len(y))
	}
	return stratified(s, []Strata{x, y}, func(all []Strata) float64 {
		sum := 0.0
		for task := range all[0] {
			sum += above(all[0][task], all[1][task], higherIsBetter)
		}
		return sum / float64(len(all[0]))
	}, o), nil
}

func above(x, y []float64, higher bool) float64 {
	u := 0.0
	for _, a := range x {
		for _, b := range y {
			switch {
			case a == b:
				u += 0.5
			case (a > b) == higher:
				u++
			}
		}
	}
	return u / float64(len(x)*len(y))
}

// stratified resamples all sets of strata; each set independently of the others.
func stratified(s *rng.Stream, sets []Strata, stat func([]Strata) float64, o Options) Interval {
	iv := Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	clean := make([]Strata, len(sets))
	drawn := make([]Strata, len(sets))
	least := math.MaxInt
	for i, st := range sets {
		for task, x := range st {
			x, w := Finite(x)
			for _, err := range w {
				iv.Warnings = append(iv.Warnings, fmt.Errorf("task %d: %w", task, err))
			}
			clean[i] = append(clean[i], x)
			drawn[i] = append(drawn[i], slices.Clone(x))
			iv.N += len(x)
			least = min(least, len(x))
		}
	}
	if len(sets[0]) == 0 || least == 0 {
		iv.Warnings = append(iv.Warnings, fmt.Errorf("a task without values has no interval"))
		return iv
	}
	iv.Point = stat(clean)
	o.Method = Percentile
	if iv.Warnings = append(iv.Warnings, doubts(least, o)...); least < 2 {
		return iv
	}
	draws := make([]float64, o.reps())
	for r := range draws {
		for i := range clean {
			for task, x := range clean[i] {
				for k := range x {
					drawn[i][task][k] = x[s.IntN(len(x))]
				}
			}
		}
		draws[r] = stat(drawn)
	}
	slices.Sort(draws)
	alpha := (1 - o.level()) / 2
	iv.Lo, iv.Hi = Quantile(draws, alpha), Quantile(draws, 1-alpha)
	return iv
}
