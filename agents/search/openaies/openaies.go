// Package openaies climbs down the gradient of the mean cost under a normal distribution of fixed
// width, estimated from mirrored pairs of points that are measured on the same windows.
//
// Salimans, Ho, Chen, Sidor and Sutskever, Evolution Strategies as a Scalable Alternative to
// Reinforcement Learning, arXiv 1703.03864, algorithm 1 with mirrored sampling, centred ranks and
// Adam.
//
// Reading guide. openaies.go is the method for a cube, climber.go the algorithm without bounds.
//
// We differ: the mean is moved back into the cube and measured in every batch, so that it can be
// chosen; width and rate fall towards a tenth over the budget, without which the last digits of a
// timer are never found.
package openaies

import (
	"slices"

	"tarry/agents/search"
	"tarry/internal/fixmath"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `sigma  standard deviation, of the cube's side
rate   first step of the mean, of the cube's side
pairs  mirrored pairs of a batch; 0 = 2 + d`

type method struct {
	cfg         search.Config
	sigma, rate float64
	pairs       int
	*Climber
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	d := len(c.Space)
	m := &method{cfg: c, sigma: s.Float("sigma", 0.1, 1e-6, 1), rate: s.Float("rate", 0.05, 1e-6, 1),
		pairs:   s.Int("pairs", 0, 0, 100_000),
		Climber: NewClimber(slices.Repeat([]float64{0.5}, d))}
	if m.pairs == 0 {
		m.pairs = 2 + d
	}
	return m, s.Err()
}

// decay falls from 1 to 0.1 over the budget.
func (m *method) decay() float64 {
	return fixmath.Pow(0.1, min(1, float64(m.steps*(2*m.pairs+1))/float64(m.cfg.Budget)))
}

// Propose gives the mean and the pairs around it.
func (m *method) Propose(_ []search.Observation, draws *rng.Stream) []search.Ask {
	points := make([][]float64, 1+2*m.pairs)
	for i := range points {
		points[i] = slices.Clone(m.mean)
	}
	m.Sample(points[1:], m.sigma*m.decay(), draws)
	return m.cfg.Full(points...)
}

// Learn makes one step of Adam.
func (m *method) Learn(batch []search.Observation) {
	costs := make([]float64, 0, len(batch))
	for _, o := range batch[1:] {
		costs = append(costs, o.Mean)
	}
	m.Step(costs, m.rate*m.decay())
	for i, v := range m.mean {
		m.mean[i] = min(max(v, 0), 1)
	}
}
