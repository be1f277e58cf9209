// Package randomsearch draws points evenly and independently: the floor under every other method.
// With n points the best of them lies in the best 5 % of the space with probability 1 - 0.95^n, in
// any number of dimensions.
//
// Bergstra and Bengio, Random Search for Hyper-Parameter Optimization, JMLR 13, 2012.
package randomsearch

import (
	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `batch  points at a time`

type method struct {
	cfg   search.Config
	batch int
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	return &method{c, s.Int("batch", 8, 1, 10_000)}, s.Err()
}

func (m *method) Propose(_ []search.Observation, draws *rng.Stream) []search.Ask {
	points := make([][]float64, m.batch)
	for i := range points {
		points[i] = m.cfg.Uniform(draws)
	}
	return m.cfg.Full(points...)
}
