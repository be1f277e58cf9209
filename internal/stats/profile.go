package stats

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim/rng"
)

// Profiled is what one performance profile is of.
type Profiled struct {
	Scores Strata
	// Taus are the bounds: a point of the profile is the share of all scores above one.
	Taus    []float64
	Options Options
}

// Profile is a performance profile: for each tau the share of all scores above tau,
// with its interval. Where smaller is better, negate the scores.
func Profile(s *rng.Stream, st Strata, taus []float64, o Options) []Interval {
	return Profiles(s, []Profiled{{st, taus, o}})[0]
}

// Profiles gives the profiles that Profile gives of each of them when its stream stands where s does. The numbers of the stream are drawn
// once for all. s is left where the longest one ends.
func Profiles(s *rng.Stream, of []Profiled) [][]Interval {
	out := make([][]Interval, len(of))
	var all []*bands
	for i := range of {
		b := newBand(&of[i])
		if out[i] = b.found; !b.draws() {
			continue
		}
		k := slices.IndexFunc(all, func(g *bands) bool { return len(g.of) < lanes && g.fits(b) })
		if k < 0 {
			k, all = len(all), append(all, &bands{sizes: b.sizes(), reps: b.reps})
		}
		all[k].of = append(all[k].of, b)
	}
	left := 0
	for _, g := range all {
		g.start()
		left = max(left, g.left)
	}
	words := make([]uint64, 2048)
	for left > 0 { // a word is at most one draw, so that none is taken that no profile wants
		words = words[:min(len(words), left)]
		s.Words(words)
		left = 0
		for _, g := range all {
			g.feed(words)
			left = max(left, g.left)
		}
	}
	return out
}

// band is one profile while its resamples are drawn.
type band struct {
	taus   []float64
	clean  Strata
	n      int // values
	least  int // of the tasks' sizes
	reps   int
	alpha  float64
	found  []Interval
	over   int       // of the resample that is being drawn: values above tau
	shares []float64 // of the resamples of this tau
}

// newBand makes the points and the warnings of a profile.
func newBand(p *Profiled) *band {
	b := &band{taus: p.Taus, least: math.MaxInt, reps: p.Options.reps(), alpha: (1 - p.Options.level()) / 2, found: make([]Interval, len(p.Taus))}
	var warnings []error
	for task, x := range p.Scores {
		x, w := Finite(x)
		for _, err := range w {
			warnings = append(warnings, fmt.Errorf("task %d: %w", task, err))
		}
		b.clean = append(b.clean, x)
		b.n += len(x)
		b.least = min(b.least, len(x))
	}
	empty := len(b.clean) == 0 || b.least == 0
	if empty {
		warnings = append(warnings, fmt.Errorf("a task without values has no interval"))
	} else {
		warnings = append(warnings, doubts(b.least, p.Options)...)
	}
	for i, tau := range b.taus {
		b.found[i] = Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), N: b.n, Warnings: slices.Clone(warnings)}
		if !empty {
			b.found[i].Point = b.share(tau)
		}
	}
	return b
}

// draws reports whether there are intervals.
func (b *band) draws() bool { return len(b.taus) > 0 && len(b.clean) > 0 && b.least >= 2 }

func (b *band) share(tau float64) float64 {
	over := 0
	for _, x := range b.clean {
		for _, v := range x {
			if v > tau {
				over++
			}
		}
	}
	return float64(over) / float64(b.n)
}

func (b *band) sizes() []int {
	out := make([]int, len(b.clean))
	for i, x := range b.clean {
		out[i] = len(x)
	}
	return out
}

// endTau makes the interval at a tau of the shares in its resamples.
func (b *band) endTau(i int) {
	slices.Sort(b.shares)
	b.found[i].Lo, b.found[i].Hi = Quantile(b.shares, b.alpha), Quantile(b.shares, 1-b.alpha)
	b.shares = b.shares[:0]
}
