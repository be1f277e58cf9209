package measured

import "math"

// TypeSpeed is the relative speed of a type's GPUs: the mean over the models that
// were measured on one GPU of the type of its throughput there over the model's best on one GPU; 0
// = none was.
func (m *Model) TypeSpeed(typ string) float64 {
	if typ == "" {
		typ = m.opt.Untyped
	}
	return typeSpeed(m.table.Models(), m.table.Types(), typ,
		func(model, typ string) (float64, bool) { return m.table.StepsPerS(model, 1, typ) })
}

// TypeSpeed is as Model's.
func (m *ScalingModel) TypeSpeed(typ string) float64 {
	if typ == "" {
		typ = m.opt.Untyped
	}
	return typeSpeed(m.table.Models(), m.table.Types(), typ,
		func(model, typ string) (float64, bool) { return m.table.PerS(model, 1, typ) })
}

func typeSpeed(models, types []string, typ string, of func(model, typ string) (float64, bool)) float64 {
	sum, n := 0.0, 0
	for _, model := range models {
		here, ok := of(model, typ)
		if !ok {
			continue
		}
		best := here
		for _, other := range types {
			if v, ok := of(model, other); ok {
				best = math.Max(best, v)
			}
		}
		if best > 0 {
			sum += here / best
		}
		n++
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
