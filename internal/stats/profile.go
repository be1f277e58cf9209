package stats

import (
	"fmt"
	"math"
	"slices"
)

// Strata holds the scores of one policy: one slice of runs per task (workload, cluster).
type Strata [][]float64

// Pool gives all scores together.
func (st Strata) Pool() []float64 { return slices.Concat(st...) }

// Profile is a performance profile: for each tau the share of all scores above tau, with the
// interval of a proportion whose spread is that within the tasks. Where smaller is better, negate
// the scores.
func Profile(st Strata, taus []float64) []Interval {
	out := make([]Interval, len(taus))
	var warnings []error
	clean, n, least := make(Strata, len(st)), 0, math.MaxInt
	for task, x := range st {
		x, w := Finite(x)
		for _, err := range w {
			warnings = append(warnings, fmt.Errorf("task %d: %w", task, err))
		}
		slices.Sort(x)
		clean[task], n, least = x, n+len(x), min(least, len(x))
	}
	switch {
	case len(st) == 0 || least == 0:
		n = 0
		warnings = append(warnings, fmt.Errorf("a task without values has no interval"))
	case least == 1:
		warnings = append(warnings, fmt.Errorf("one value has no interval"))
	}
	for i, tau := range taus {
		out[i] = none(math.NaN(), n)
		if out[i].Warnings = slices.Clone(warnings); n > 0 {
			out[i].above(clean, tau, least)
		}
	}
	return out
}

// above sets the share of sorted scores above tau, and its bounds where each task has several.
func (i *Interval) above(tasks Strata, tau float64, least int) {
	over, variance := 0.0, 0.0
	for _, x := range tasks {
		at, found := slices.BinarySearch(x, tau)
		for found && at < len(x) && x[at] == tau {
			at++
		}
		m, k := float64(len(x)), float64(len(x)-at)
		over += k
		variance += float64(k*(m-k)) / (m - 1)
	}
	all := float64(i.N)
	i.Point = over / all
	if least >= 2 {
		i.between(Share, student(variance/float64(all*all), all-1))
	}
}
