package search

import (
	"cmp"
	"math"
	"slices"
)

// Candidate is a point with all its values.
type Candidate struct {
	X []float64
	// Windows is on how many windows it was measured, a window counted each time.
	Windows int
	// Mean is over them, +Inf if one of them is not finite.
	Mean float64
	// First is the index of its first observation.
	First int
}

// Top gives the n best candidates, the best one first. Points that were measured on less than half
// as many windows as the point measured on most are passed over: methods that spend windows on
// promising points have dropped them. Among equals the first one found is the better.
func Top(of []Observation, n int) []Candidate {
	var all []Candidate
	most := 0
	at := map[string]int{} // index by coordinates
	for i, o := range of {
		k, ok := at[Key(o.X)]
		if !ok {
			k = len(all)
			at[Key(o.X)] = k
			all = append(all, Candidate{X: o.X, First: i})
		}
		c := &all[k]
		w := len(o.Values)
		if math.IsInf(o.Mean, 0) || math.IsInf(c.Mean, 0) {
			c.Mean = math.Inf(1)
		} else {
			c.Mean += (o.Mean - c.Mean) * float64(w) / float64(c.Windows+w)
		}
		c.Windows += w
		most = max(most, c.Windows)
	}
	all = slices.DeleteFunc(all, func(c Candidate) bool { return 2*c.Windows < most })
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(a.Mean, b.Mean) })
	return all[:min(n, len(all))]
}

// Seen has the keys of all points that were measured.
func Seen(of []Observation) map[string]bool {
	out := make(map[string]bool, len(of))
	for _, o := range of {
		out[Key(o.X)] = true
	}
	return out
}

// Key distinguishes points, bit by bit.
func Key(x []float64) string {
	out := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b := math.Float64bits(v)
		for s := 0; s < 64; s += 8 {
			out = append(out, byte(b>>s))
		}
	}
	return string(out)
}
