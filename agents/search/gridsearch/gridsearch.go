// Package gridsearch tries the points of a grid, bounds included, as fine as the budget allows. It
// spends a level of every parameter on parameters that do not matter (Bergstra and Bengio, JMLR 13,
// 2012), but its table can be read by eye.
package gridsearch

import (
	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `batch  points at a time`

type method struct {
	cfg    search.Config
	batch  int
	points [][]float64
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	m := &method{cfg: c, batch: s.Int("batch", 8, 1, 10_000)}
	if err := s.Err(); err != nil {
		return nil, err
	}
	m.points = c.Space.Grid(c.Budget)
	return m, nil
}

func (m *method) Propose(known []search.Observation, _ *rng.Stream) []search.Ask {
	from := min(len(known), len(m.points))
	return m.cfg.Full(m.points[from:min(from+m.batch, len(m.points))]...)
}
