package lcb

import (
	"math"
	"slices"
)

// Config states when a search ends.
type Config struct {
	// Iterations bounds the points after the samples (50); Still is how many of them may change the
	// degradation by at most Change (10 and 0.01).
	Iterations, Still int
	Change            float64
	// Lower takes the point with the least mu - sigma beta, and not the point whose bound is
	// nearest to 0 as published.
	Lower bool
}

// Search is one tuning of the batches of some tasks. It belongs to one run.
type Search struct {
	cfg    Config
	grid   [][]int32
	scaled [][]float64
	first  []int // samples that are not measured yet
	at     []int // points that were measured, in order
	pd     []float64
	iter   int
	still  int
	last   float64 // degradation before
}

// New is a search for the batches of tasks, at least one.
func New(cfg Config, tasks []Task) *Search {
	s := &Search{cfg: cfg, grid: Grid(tasks)}
	s.first = samples(tasks, s.grid)
	lo, hi := slices.Clone(s.grid[0]), s.grid[len(s.grid)-1]
	for _, p := range s.grid {
		x := make([]float64, len(p))
		for i, b := range p {
			if hi[i] > lo[i] {
				x[i] = float64(b-lo[i]) / float64(hi[i]-lo[i])
			}
		}
		s.scaled = append(s.scaled, x)
	}
	return s
}

// Clone gives an independent copy.
func (s *Search) Clone() *Search {
	c := *s
	c.first, c.at, c.pd = slices.Clone(s.first), slices.Clone(s.at), slices.Clone(s.pd)
	return &c
}

// Batches are the batches of a point, in samples per task. They must not be changed.
func (s *Search) Batches(point int) []int32 { return s.grid[point] }

// Next gives the point that is measured next; false when the search has ended.
func (s *Search) Next() (point int, more bool) {
	if len(s.first) > 0 {
		return s.first[0], true
	}
	for s.iter < s.cfg.Iterations && s.still < s.cfg.Still {
		s.iter++
		k := s.choose()
		if n := slices.Index(s.at, k); n >= 0 { // as measured before
			s.changed(s.pd[n])
			continue
		}
		return k, true
	}
	return 0, false
}

// Note takes the degradation that was measured at the point of Next.
func (s *Search) Note(point int, degradation float64) {
	s.at, s.pd = append(s.at, point), append(s.pd, degradation)
	if len(s.first) > 0 {
		s.first = s.first[1:]
		s.last = degradation
		return
	}
	s.changed(degradation)
}

func (s *Search) changed(pd float64) {
	if math.Abs(pd-s.last) <= s.cfg.Change {
		s.still++
	}
	s.last = pd
}

// choose is the point of the least bound.
func (s *Search) choose() int {
	xs := make([][]float64, len(s.at))
	for i, k := range s.at {
		xs[i] = s.scaled[k]
	}
	p := fit(xs, unit(s.pd))
	if p == nil {
		return s.at[0]
	}
	beta := math.Sqrt(2*math.Log(float64(len(s.at)))) / float64(s.iter)
	best, at := math.Inf(1), 0
	for k, x := range s.scaled {
		mean, sigma := p.At(x)
		bound := mean - float64(sigma*beta)
		if !s.cfg.Lower {
			bound = math.Abs(bound)
		}
		if bound < best {
			best, at = bound, k
		}
	}
	return at
}

// unit scales values to [0, 1]; equal ones are 0.
func unit(of []float64) []float64 {
	lo, hi := slices.Min(of), slices.Max(of)
	out := make([]float64, len(of))
	for i, x := range of {
		if hi > lo {
			out[i] = (x - lo) / (hi - lo)
		}
	}
	return out
}

// Best is the measured point of the least degradation, the first of equals; false where nothing was
// measured.
func (s *Search) Best() (point int, ok bool) {
	if len(s.at) == 0 {
		return 0, false
	}
	best := 0
	for i, x := range s.pd {
		if x < s.pd[best] {
			best = i
		}
	}
	return s.at[best], true
}

// Measured is the number of points that were measured.
func (s *Search) Measured() int { return len(s.at) }
