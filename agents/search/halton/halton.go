// Package halton tries the points of a scrambled Halton sequence, which fill the cube more evenly
// than random ones: coordinate i of point k is k's digits in the i-th prime base, mirrored at the
// point and shuffled digit by digit.
//
// Halton, Numerische Mathematik 2, 1960; scrambled as by Owen, A randomized Halton algorithm in R,
// arXiv 1706.02808.
package halton

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `batch  points at a time`

type method struct {
	cfg    search.Config
	batch  int
	points *mat.Dense
}

// New reads the settings; s.Err has the faults. All points of the budget are made at once: the
// shuffles of a sequence belong together.
func New(c search.Config, s *param.Set) (search.Method, error) {
	m := &method{cfg: c, batch: s.Int("batch", 8, 1, 10_000)}
	if err := s.Err(); err != nil {
		return nil, err
	}
	m.points = mat.NewDense(c.Budget, len(c.Space), nil)
	q := distmv.NewUnitUniform(len(c.Space), nil)
	samplemv.Halton{Kind: samplemv.Owen, Q: q, Src: c.Source.Stream("search/halton")}.Sample(m.points)
	return m, nil
}

func (m *method) Propose(known []search.Observation, _ *rng.Stream) []search.Ask {
	var points [][]float64
	for i := len(known); i < m.cfg.Budget && len(points) < m.batch; i++ {
		points = append(points, m.points.RawRowView(i))
	}
	return m.cfg.Full(points...)
}
