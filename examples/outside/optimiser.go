package main

import (
	"tarry/agents/registry"
	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// climb shows an optimiser: hill climbing with a step that gets smaller. A batch has points around
// the best one so far; the first is drawn evenly. All that it needs follows from what is known, so
// that it keeps nothing between two batches.
type climb struct {
	cfg   search.Config
	batch int
	step  float64
}

// climbEntry is climb in the catalogue.
func climbEntry() registry.Optimiser {
	return registry.Optimiser{Name: "climb", Doc: "hill climbing: normal steps around the best point so far",
		Paper: "textbook",
		Params: "batch  points at a time\nstep   deviation of the first steps, as a part of a range; it falls " +
			"to 0 with the budget",
		New: func(c search.Config, s *param.Set) (search.Method, error) {
			return &climb{c, s.Int("batch", 4, 1, 10_000), s.Float("step", 0.3, 0, 1)}, s.Err()
		}}
}

// Propose gives the next batch, in the unit cube; what lies outside is cut to it.
func (m *climb) Propose(known []search.Observation, draws *rng.Stream) []search.Ask {
	points := make([][]float64, m.batch)
	for i := range points {
		points[i] = m.cfg.Uniform(draws)
	}
	if len(known) == 0 {
		return m.cfg.Full(points...)
	}
	best := known[0]
	for _, o := range known {
		if o.Mean < best.Mean {
			best = o
		}
	}
	step := m.step * (1 - float64(len(known))/float64(m.cfg.Budget))
	for _, x := range points {
		for d := range x {
			x[d] = best.X[d] + float64(step*draws.NormFloat64())
		}
	}
	return m.cfg.Full(points...)
}
