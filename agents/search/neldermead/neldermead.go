// Package neldermead is the downhill simplex method, asked from outside.
//
// Nelder and Mead, A Simplex Method for Function Minimization, Computer Journal 7, 1965;
// coefficients that depend on the dimension: Gao and Han, Computational Optimization and
// Applications 51, 2012, equation 4.1.
//
// We differ: points outside the cube are moved to its border; of d+1 vertices the first is the
// middle of the cube and the others lie one step beside it; a simplex that has shrunk to a point
// starts anew around a random one, as a response that is constant in pieces makes it do.
package neldermead

import (
	"cmp"
	"math"
	"slices"

	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `step  side of the first simplex, of the cube's
tiny  side at which a simplex starts anew`

// stage is what the batch under way is for.
type stage int

const (
	begin stage = iota
	reflect
	expand
	contract
	shrink
)

type vertex struct {
	x    []float64
	cost float64
}

type method struct {
	cfg        search.Config
	step, tiny float64
	stage      stage
	simplex    []vertex // ascending cost, once begun
	asked      []vertex
	reflected  vertex
	inside     bool // the contraction is towards the worst vertex
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	return &method{cfg: c, step: s.Float("step", 0.25, 1e-6, 0.5), tiny: s.Float("tiny", 1e-7, 0, 0.5)}, s.Err()
}

// Propose gives the vertices that the stage needs.
func (m *method) Propose(known []search.Observation, draws *rng.Stream) []search.Ask {
	d := float64(len(m.cfg.Space))
	beta, gamma, delta := 1+2/d, 0.75-1/(2*d), 1-1/d
	if len(m.cfg.Space) == 1 { // the formulas' shrink would be to a point
		beta, gamma, delta = 2, 0.5, 0.5
	}
	m.asked = nil
	switch m.stage {
	case begin:
		m.begin(len(known) == 0, draws)
	case reflect:
		m.ask(m.along(1))
	case expand:
		m.ask(m.along(beta))
	case contract:
		if m.inside {
			gamma = -gamma
		}
		m.ask(m.along(gamma))
	case shrink:
		best := m.simplex[0].x
		for _, v := range m.simplex[1:] {
			x := make([]float64, len(best))
			for i := range x {
				x[i] = best[i] + float64(delta*(v.x[i]-best[i]))
			}
			m.ask(x)
		}
	}
	points := make([][]float64, len(m.asked))
	for i := range m.asked {
		points[i] = m.asked[i].x
	}
	return m.cfg.Full(points...)
}

// ask adds a point, cut to the cube.
func (m *method) ask(x []float64) {
	for i := range x {
		x[i] = min(max(x[i], 0), 1)
	}
	m.asked = append(m.asked, vertex{x: x})
}

// begin asks for the vertices of a fresh simplex.
func (m *method) begin(first bool, draws *rng.Stream) {
	x := m.cfg.Uniform(draws)
	if first {
		for i := range x {
			x[i] = 0.5
		}
	}
	m.ask(slices.Clone(x))
	for i := range x {
		y := slices.Clone(x)
		if y[i] += m.step; y[i] > 1 {
			y[i] -= 2 * m.step
		}
		m.ask(y)
	}
}

// along is the point that lies t times the way from the centroid of the better vertices away from
// the worst one.
func (m *method) along(t float64) []float64 {
	n := len(m.simplex) - 1
	x := make([]float64, n)
	for i := range x {
		for _, v := range m.simplex[:n] {
			x[i] += v.x[i] / float64(n)
		}
		x[i] += float64(t * (x[i] - m.simplex[n].x[i]))
	}
	return x
}

// Learn decides the next stage.
func (m *method) Learn(batch []search.Observation) {
	for i := range batch {
		m.asked[i].cost = batch[i].Mean
	}
	n := len(m.simplex) - 1
	next := reflect
	switch m.stage {
	case begin:
		m.simplex = m.asked
	case reflect:
		next = m.reflection(m.asked[0])
	case expand:
		m.simplex[n] = m.reflected
		if m.asked[0].cost < m.reflected.cost {
			m.simplex[n] = m.asked[0]
		}
	case contract:
		limit := m.reflected.cost
		if m.inside {
			limit = m.simplex[n].cost
		}
		if m.asked[0].cost < limit || !m.inside && m.asked[0].cost == limit {
			m.simplex[n] = m.asked[0]
		} else {
			next = shrink
		}
	case shrink:
		copy(m.simplex[1:], m.asked)
	}
	slices.SortStableFunc(m.simplex, func(a, b vertex) int { return cmp.Compare(a.cost, b.cost) })
	if m.stage = next; next == reflect && m.size() <= m.tiny {
		m.stage = begin
	}
}

// reflection judges a reflected vertex.
func (m *method) reflection(r vertex) stage {
	n := len(m.simplex) - 1
	m.reflected = r
	switch {
	case r.cost < m.simplex[0].cost:
		return expand
	case r.cost < m.simplex[n-1].cost || n == 1 && r.cost < m.simplex[n].cost:
		m.simplex[n] = r
		return reflect
	}
	m.inside = !(r.cost < m.simplex[n].cost)
	return contract
}

// size is the largest distance from the best vertex along an axis.
func (m *method) size() float64 {
	size := 0.0
	for _, v := range m.simplex[1:] {
		for i := range v.x {
			size = max(size, math.Abs(v.x[i]-m.simplex[0].x[i]))
		}
	}
	return size
}
