package speed

import (
	"cmp"
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/network"
)

// A table and a profile may disagree on how long a model computes: another GPU, another batch size,
// another simulator's unit of time. A shape that the table lacks must be priced in the table's
// time, or a job would change its nature from one allocation to the next. So before the collective
// model answers for a table, the profile is fitted to the table's rows of that model.

// fitRow is one row of a table: its dimensions and exposed communication over compute.
type fitRow struct {
	dims []network.Dim
	x    float64
}

// fitRows are a model's rows that determine compute time.
func (m *Table) fitRows(id int32, f *network.Fabric) []fitRow {
	var out []fitRow
	for k, frac := range m.rows {
		if k.model != id || frac > 0.9999 {
			continue
		}
		var dims []network.Dim
		for level, n := range k.units {
			if n > 1 {
				dims = append(dims, network.Dim{Link: f.Links[level], Level: network.Level(level), Units: int(n),
					Shrink: 1})
			}
		}
		out = append(out, fitRow{dims, 1/frac - 1})
	}
	return out
}

// calibrate gives a profile the compute times and the fixed overhead with which exposed
// communication over compute fits the rows best, in the mean square of its logarithm. The overhead,
// a multiple of compute, is charged even to the best-placed job of the table (in some simulators
// the update of the weights); it is tried at shares of the smallest row. For each, the factor fits
// the other rows in the geometric mean.
func (c *Collective) calibrate(id int32, rows []fitRow) {
	if len(rows) == 0 {
		return
	}
	// In the order of x, so that sums do not depend on a map's order.
	slices.SortFunc(rows, func(a, b fitRow) int { return cmp.Compare(a.x, b.x) })
	layers := c.layers[id]
	best := math.Inf(1)
	for _, share := range [...]float64{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99} {
		over := share * rows[0].x
		fit := scaled(layers, c.factor(layers, rows, over))
		sum := 0.0
		for _, r := range rows {
			d := math.Log((c.exposed(fit, r) + over) / r.x)
			sum += float64(d * d)
		}
		if sum < best {
			best, c.layers[id], c.over[id] = sum, fit, over
		}
	}
	for k := range c.cache {
		if k.model == id {
			delete(c.cache, k)
		}
	}
}

// exposed is the exposed communication of a row's shape over compute.
func (c *Collective) exposed(layers []network.Layer, r fitRow) float64 {
	it := c.fabric.Schedule.Iterate(layers, c.fabric.Phases(nil, r.dims))
	return math.Max(it.ExposedNS, 1e-6) / it.ComputeNS
}

// factor is the factor on compute with which the rows well above the overhead fit in the geometric
// mean.
func (c *Collective) factor(layers []network.Layer, rows []fitRow, over float64) float64 {
	const fine = 1024 // steps in an octave
	miss := func(step float64) float64 {
		fit, sum := scaled(layers, fixmath.Pow(2, step/fine)), 0.0
		for _, r := range rows {
			if r.x > 1.5*over {
				sum += math.Log(c.exposed(fit, r) / (r.x - over))
			}
		}
		return sum
	}
	// More compute means less communication over it: the mean difference falls with the factor.
	lo, hi := -30.0*fine, 30.0*fine
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); miss(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return fixmath.Pow(2, hi/fine)
}

// scaled copies layers with compute times multiplied by s.
func scaled(layers []network.Layer, s float64) []network.Layer {
	out := make([]network.Layer, len(layers))
	for i, l := range layers {
		l.ForwardNS *= s
		l.InputGradNS *= s
		l.WeightGradNS *= s
		out[i] = l
	}
	return out
}

// missing answers for a shape without a row.
func (m *Table) missing(q *sim.Query, id int32) (sim.Speed, error) {
	if c, ok := m.fallback.(*Collective); ok && id >= 0 && !m.fitted[id] {
		m.fitted[id] = true
		profile, err := c.model(q.Job)
		if err != nil {
			return sim.Speed{}, err
		}
		c.calibrate(profile, m.fitRows(id, &c.fabric))
	}
	return m.fallback.Speed(q)
}
