package knowable

import "math"

// column is a field of the jobs: the index of a category among values, or a number.
type column struct {
	index  []int32
	values int
	number []float64
}

// ridge is the weight of the squared coefficients of categories: a category's own mean counts as
// its jobs / (its jobs + ridge). The penalty of numbers, which are scaled to mean 0 and deviation
// 1, is the same.
const ridge = 5

// Steps and tolerance of the solver.
const (
	maxSteps  = 200
	tolerance = 1e-6
)

// predict fits y on the first fit rows of the columns and gives the predictions for all rows.
func predict(y []float64, fit int, columns []column) []float64 {
	m := newModel(fit, columns)
	mean := 0.0
	for _, v := range y[:fit] {
		mean += v / float64(fit)
	}
	rest := make([]float64, fit)
	for i := range rest {
		rest[i] = y[i] - mean
	}
	beta := m.solve(rest)
	out := make([]float64, len(y))
	m.apply(beta, out)
	for i := range out {
		out[i] += mean
	}
	return out
}

// model is the matrix of a regression, by columns: each takes its values coefficients from its
// offset on.
type model struct {
	columns []column
	offset  []int
	size    int
	fit     int
}

func newModel(fit int, columns []column) *model {
	m := &model{fit: fit}
	for _, c := range columns {
		if c.number != nil {
			c = column{number: standard(c.number, fit), values: 1}
		}
		m.columns, m.offset = append(m.columns, c), append(m.offset, m.size)
		m.size += c.values
	}
	return m
}

// standard shifts and scales to mean 0 and deviation 1 on the fitted rows; a constant becomes 0.
func standard(x []float64, fit int) []float64 {
	mean, sd := 0.0, deviation(x[:fit])
	for _, v := range x[:fit] {
		mean += v / float64(fit)
	}
	out := make([]float64, len(x))
	for i := range x {
		if sd > 0 {
			out[i] = (x[i] - mean) / sd
		}
	}
	return out
}

// apply adds up the coefficients of each row of out.
func (m *model) apply(beta, out []float64) {
	clear(out)
	for k, c := range m.columns {
		b := beta[m.offset[k]:]
		for i := range out {
			if c.number != nil {
				out[i] += float64(b[0] * c.number[i])
			} else {
				out[i] += b[c.index[i]]
			}
		}
	}
}

// transposed sums the rows by coefficient.
func (m *model) transposed(rows, out []float64) {
	clear(out)
	for k, c := range m.columns {
		b := out[m.offset[k]:]
		for i, v := range rows {
			if c.number != nil {
				b[0] += float64(v * c.number[i])
			} else {
				b[c.index[i]] += v
			}
		}
	}
}

// solve minimises |X b - y|^2 + ridge |b|^2 by conjugate gradients on the normal equations, with
// their diagonal as preconditioner.
func (m *model) solve(y []float64) []float64 {
	n := m.size
	beta, r, z, p, q := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n),
		make([]float64, n)
	rows := make([]float64, m.fit)
	scale := m.diagonal()
	m.transposed(y, r)
	precondition := func() (rz float64) {
		for i := range z {
			z[i] = r[i] / scale[i]
			rz += float64(r[i] * z[i])
		}
		return rz
	}
	rz := precondition()
	copy(p, z)
	for start, step := rz, 0; step < maxSteps && rz > tolerance*tolerance*start; step++ {
		m.apply(p, rows)
		m.transposed(rows, q)
		pq := 0.0
		for i := range q {
			q[i] += float64(ridge * p[i])
			pq += float64(p[i] * q[i])
		}
		alpha := rz / pq
		for i := range beta {
			beta[i] += float64(alpha * p[i])
			r[i] -= float64(alpha * q[i])
		}
		last := rz
		rz = precondition()
		for i := range p {
			p[i] = z[i] + float64(rz/last*p[i])
		}
	}
	for _, b := range beta {
		if math.IsNaN(b) {
			return make([]float64, n)
		}
	}
	return beta
}

func (m *model) diagonal() []float64 {
	d := make([]float64, m.size)
	for k, c := range m.columns {
		for i := range m.fit {
			if c.number != nil {
				d[m.offset[k]] += float64(c.number[i] * c.number[i])
			} else {
				d[m.offset[k]+int(c.index[i])]++
			}
		}
	}
	for i := range d {
		d[i] += ridge
	}
	return d
}
