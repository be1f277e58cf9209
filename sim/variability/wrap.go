package variability

import (
	"tarry/sim"
)

// Model is a speed model with factors. It belongs to one run.
type Model struct {
	of      *Factors
	inner   sim.SpeedModel
	ofModel map[string][]float64
}

// Wrap puts factors over a speed model. The result is sim.Coupled where the model is, and sim.Variability.
func Wrap(inner sim.SpeedModel, f *Factors) sim.SpeedModel {
	m := &Model{f, inner, map[string][]float64{}}
	if c, ok := inner.(sim.Coupled); ok {
		return &coupled{m, sim.Linked{Links: c}}
	}
	return m
}

// Class and Factors implement sim.Variability.
func (m *Model) Class(model string) int { return m.of.Class(model) }

// Factors gives the speed of each GPU for jobs of a class.
func (m *Model) Factors(class int) []float64 { return m.of.Factors(class) }

// Inner is the model without factors.
func (m *Model) Inner() sim.SpeedModel { return m.inner }

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := m.inner.Speed(q)
	if err != nil || len(q.GPUs) == 0 {
		return s, err
	}
	s.Rate *= m.least(q)
	return s, nil
}

// least is the factor of the slowest of a job's GPUs, at least one.
func (m *Model) least(q *sim.Query) float64 {
	of, ok := m.ofModel[q.Job.Model]
	if !ok {
		of = m.Factors(m.Class(q.Job.Model))
		m.ofModel[q.Job.Model] = of
	}
	least := of[q.GPUs[0]]
	for _, g := range q.GPUs[1:] {
		least = min(least, of[g])
	}
	return least
}

// coupled is Model over jobs that share links.
type coupled struct {
	*Model
	sim.Linked
}
