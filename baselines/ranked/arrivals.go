package ranked

import "tarry/sim"

// arrivals are the jobs that came so far.
type arrivals struct {
	n           int
	first, last sim.Time
	spread      float64 // of their laws at that time, in all
}

// note takes in a job that came at a time, and the spread of its law.
func (a *arrivals) note(at sim.Time, spread float64) {
	if a.n == 0 {
		a.first, a.last = at, at
	}
	a.n++
	a.spread += spread
	a.first, a.last = min(a.first, at), max(a.last, at)
}

// gaps is after how many mean gaps without a job the lull is a half: more than the drain at the end
// of a window has, so that little but a list that came at once is near 1.
const gaps = 128

// lull is the input score.Lull; 0 before there is a gap to compare with.
func (a *arrivals) lull(now sim.Time) float64 {
	switch {
	case a.n < 2:
		return 0
	case a.last == a.first:
		return 1
	}
	quiet := float64(now - a.last)
	return quiet / (quiet + float64(gaps*float64(a.last-a.first))/float64(a.n-1))
}

// The mean spreads up to which the doubt is 0, and from which on it is 1. Users whose jobs recur have
// 0.6 to 0.8, with a predictor that explains two thirds of the variance; lists whose jobs differ by
// their models and sizes 1.1 to 1.2.
const (
	sure    = 0.8
	doubted = 0.9
)

// doubt is the input score.Doubt while jobs come.
func (a *arrivals) doubt() float64 {
	if a.n == 0 {
		return 0
	}
	return min(1, max(0, (a.spread/float64(a.n)-sure)/(doubted-sure)))
}
