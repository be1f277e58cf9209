// Package openaies climbs down the gradient of the mean cost under a normal distribution of fixed width, estimated from
// mirrored pairs of points that are measured on the same windows.
//
// Salimans, Ho, Chen, Sidor and Sutskever, Evolution Strategies as a Scalable Alternative to Reinforcement Learning,
// arXiv 1703.03864, algorithm 1 with mirrored sampling, centred ranks and Adam.
//
// We differ: the mean is moved back into the cube and measured in every batch, so that it can be chosen; width and rate
// fall towards a tenth over the budget, without which the last digits of a timer are never found.
package openaies

import (
	"cmp"
	"math"
	"slices"

	"tarry/agents/search"
	"tarry/internal/fixmath"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `sigma  standard deviation, of the cube's side (0.1)
rate   first step of the mean, of the cube's side (0.05)
pairs  mirrored pairs of a batch; 0 = 2 + d (0)`

type method struct {
	cfg         search.Config
	sigma, rate float64
	pairs       int
	mean        []float64
	m, v        []float64 // Adam's moments
	steps       int
	noise       [][]float64 // of the batch under way
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	d := len(c.Space)
	m := &method{cfg: c, sigma: s.Float("sigma", 0.1, 1e-6, 1), rate: s.Float("rate", 0.05, 1e-6, 1), pairs: s.Int("pairs", 0, 0, 100_000),
		mean: make([]float64, d), m: make([]float64, d), v: make([]float64, d)}
	if m.pairs == 0 {
		m.pairs = 2 + d
	}
	for i := range m.mean {
		m.mean[i] = 0.5
	}
	return m, s.Err()
}

// decay falls from 1 to 0.1 over the budget.
func (m *method) decay() float64 {
	return fixmath.Pow(0.1, min(1, float64(m.steps*(2*m.pairs+1))/float64(m.cfg.Budget)))
}

// Propose gives the mean and the pairs around it.
func (m *method) Propose(_ []search.Observation, draws *rng.Stream) []search.Ask {
	points := [][]float64{slices.Clone(m.mean)}
	sigma := m.sigma * m.decay()
	m.noise = nil
	for range m.pairs {
		e, plus, minus := make([]float64, len(m.mean)), make([]float64, len(m.mean)), make([]float64, len(m.mean))
		for i := range e {
			e[i] = draws.NormFloat64()
			plus[i], minus[i] = m.mean[i]+float64(sigma*e[i]), m.mean[i]-float64(sigma*e[i])
		}
		m.noise = append(m.noise, e)
		points = append(points, plus, minus)
	}
	return m.cfg.Full(points...)
}

// Learn makes one step of Adam.
func (m *method) Learn(batch []search.Observation) {
	rank := ranks(batch[1:])
	gradient := make([]float64, len(m.mean))
	for k, e := range m.noise {
		for i := range gradient {
			gradient[i] += float64((rank[2*k]-rank[2*k+1])*e[i]) / float64(2*m.pairs)
		}
	}
	const b1, b2 = 0.9, 0.99
	rate := m.rate * m.decay()
	m.steps++
	c1, c2 := 1-fixmath.Pow(b1, float64(m.steps)), 1-fixmath.Pow(b2, float64(m.steps))
	for i, g := range gradient {
		m.m[i] = float64(b1*m.m[i]) + float64((1-b1)*g)
		m.v[i] = float64(b2*m.v[i]) + float64((1-b2)*g*g)
		m.mean[i] -= float64(rate * (m.m[i] / c1) / (math.Sqrt(m.v[i]/c2) + 1e-8))
		m.mean[i] = min(max(m.mean[i], 0), 1)
	}
}

// ranks gives each cost its rank, from -1/2 to 1/2; equal ones share the middle of theirs.
func ranks(of []search.Observation) []float64 {
	order := make([]int, len(of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of[a].Mean, of[b].Mean) })
	out := make([]float64, len(of))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && of[order[j]].Mean == of[order[i]].Mean {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j-1)/2/float64(len(of)-1) - 0.5
		}
		i = j
	}
	return out
}
