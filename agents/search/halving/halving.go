// Package halving is successive halving: many random points are measured on few windows, the best
// third of them on three times as many, and so on, until a few are measured on all. Windows are
// common to all points, so that a point that is dropped was worse on the same jobs.
//
// Jamieson and Talwalkar, Non-stochastic Best Arm Identification and Hyperparameter Optimization,
// AISTATS 2016, algorithm 1, with the ratio of Li et al., Hyperband, JMLR 18, 2018.
//
// We differ: a point of the next round is measured on the windows that it has not seen yet, not
// again on all; when a round has ended the next begins with other points, until the budget is
// spent.
package halving

import (
	"cmp"
	"math"
	"slices"

	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `eta         one of so many points is kept
candidates  points at the start of a round; 0 = eta^3
least       windows of the first rung; 0 = as many as the ratio leaves`

type method struct {
	cfg        search.Config
	eta        int
	candidates int
	rungs      []int // windows after each rung
	rung       int
	alive      []alive
}

// alive is a point that may still be kept.
type alive struct {
	x []float64
	// sum is over the windows so far; +Inf once one of them is not finite.
	sum float64
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	m := &method{cfg: c, eta: s.Int("eta", 3, 2, 100), candidates: s.Int("candidates", 0, 0, 1_000_000)}
	least := s.Int("least", 0, 0, c.Windows)
	if m.candidates == 0 {
		m.candidates = m.eta * m.eta * m.eta
	}
	for w := c.Windows; w >= max(1, least) && len(m.rungs) < 4; w /= m.eta {
		m.rungs = append([]int{w}, m.rungs...)
	}
	return m, s.Err()
}

// Propose measures the points that are alive up to the windows of their rung.
func (m *method) Propose(_ []search.Observation, draws *rng.Stream) []search.Ask {
	from := 0
	if m.rung > 0 {
		from = m.rungs[m.rung-1]
	} else {
		m.alive = make([]alive, m.candidates)
		for i := range m.alive {
			m.alive[i].x = m.cfg.Uniform(draws)
		}
	}
	out := make([]search.Ask, len(m.alive))
	for i, a := range m.alive {
		out[i] = search.Ask{X: a.x, From: from, To: m.rungs[m.rung]}
	}
	return out
}

// Learn keeps the best of them.
func (m *method) Learn(batch []search.Observation) {
	for i, o := range batch {
		if m.alive[i].sum += float64(o.Mean * float64(len(o.Values))); math.IsNaN(m.alive[i].sum) {
			m.alive[i].sum = math.Inf(1)
		}
	}
	if m.rung++; m.rung == len(m.rungs) {
		m.rung = 0
		return
	}
	slices.SortStableFunc(m.alive, func(a, b alive) int { return cmp.Compare(a.sum, b.sum) })
	m.alive = m.alive[:max(1, len(m.alive)/m.eta)]
}
