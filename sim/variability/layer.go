package variability

import "tarry/sim"

// Layer is the stack.Layer of factors, and a sim.Variability. It belongs to one run.
type Layer struct {
	of      *Factors
	ofModel map[string][]float64
}

// NewLayer makes the layer of factors.
func NewLayer(f *Factors) *Layer { return &Layer{f, map[string][]float64{}} }

// Class and Factors implement sim.Variability.
func (l *Layer) Class(model string) int { return l.of.Class(model) }

// Factors gives the speed of each GPU for jobs of a class.
func (l *Layer) Factors(class int) []float64 { return l.of.Factors(class) }

// Answer multiplies the speed by the factor of the slowest of the job's GPUs.
func (l *Layer) Answer(q *sim.Query, s *sim.Speed) float64 {
	of, ok := l.ofModel[q.Job.Model]
	if !ok {
		of = l.Factors(l.Class(q.Job.Model))
		l.ofModel[q.Job.Model] = of
	}
	least := of[q.GPUs[0]]
	for _, g := range q.GPUs[1:] {
		least = min(least, of[g])
	}
	s.Rate *= least
	return least
}
