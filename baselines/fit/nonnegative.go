package fit

import (
	"math"
)

// NonNegative gives the coefficients, none below 0, with which the columns of a design come nearest to y, and the distance (the 2-norm of the residual): Lawson and Hanson's
// NNLS. Rows of the design are observations, as many as y has, and equally long. Where columns depend on one another the coefficients are one of the best choices. A
// design of other sizes, or with what is no number, has no coefficients and the distance NaN.
func NonNegative(design [][]float64, y []float64) (coef []float64, residual float64) {
	if len(design) != len(y) || len(y) == 0 {
		return nil, math.NaN()
	}
	n := len(design[0])
	q := nonNegative{y: y, x: make([]float64, n), try: make([]float64, n), in: make([]bool, n), rest: make([]float64, len(y))}
	lengths := make([]float64, n)
	for j := range n {
		c := make([]float64, len(y))
		for i, row := range design {
			if len(row) != n || math.IsNaN(row[j]-row[j]) || math.IsNaN(y[i]-y[i]) {
				return nil, math.NaN()
			}
			c[i] = row[j]
		}
		if lengths[j] = norm(c); lengths[j] > 0 {
			for i := range c {
				c[i] /= lengths[j]
			}
		}
		q.columns = append(q.columns, c)
	}
	q.run()
	for j, l := range lengths {
		if l > 0 {
			q.x[j] /= l
		}
	}
	return q.x, norm(q.rest)
}

// nonNegative is one problem: columns of length 1, the coefficients so far and those of the present least squares, the columns in use, and what is left of y.
type nonNegative struct {
	columns [][]float64
	y, rest []float64
	x, try  []float64
	in      []bool
	which   []int       // the columns in use, by when they came
	base    [][]float64 // orthonormal, of which's columns
	upper   [][]float64 // base times upper are which's columns; by column
}

// slack is how far rounding may take a slope or a column that depends on others from 0, of the length of y or the column.
const slack = 1e-13

// run takes in the column that helps most until none helps.
func (q *nonNegative) run() {
	q.leftover()
	for range 30 * (len(q.x) + 1) {
		best, most := -1, slack*norm(q.y)
		for j, c := range q.columns {
			if s := dot(c, q.rest); !q.in[j] && s > most {
				best, most = j, s
			}
		}
		if best < 0 {
			return
		}
		q.in[best], q.which = true, append(q.which, best)
		if !q.settle(best) {
			return
		}
	}
}

// settle solves for the columns in use, and leaves out those whose coefficients would fall to 0 on the way there. It reports false where the newest does not help, by
// rounding.
func (q *nonNegative) settle(newest int) bool {
	for first := true; ; first = false {
		if !q.least() || first && !(q.try[newest] > 0) {
			q.in[newest] = false
			return false
		}
		part := 1.0
		for _, j := range q.which {
			if q.try[j] <= 0 {
				part = min(part, q.x[j]/(q.x[j]-q.try[j]))
			}
		}
		kept := q.which[:0]
		for _, j := range q.which {
			if q.try[j] <= 0 && q.x[j] <= float64(part*(q.x[j]-q.try[j])) {
				q.x[j], q.in[j] = 0, false
				continue
			}
			q.x[j] += float64(part * (q.try[j] - q.x[j]))
			kept = append(kept, j)
		}
		if q.which = kept; part == 1 {
			q.leftover()
			return true
		}
	}
}

// least sets try to the least squares of the columns in use, by Gram and Schmidt's orthonormal base, made twice. It reports false where the last of them depends on the
// others.
func (q *nonNegative) least() bool {
	q.base, q.upper = q.base[:0], q.upper[:0]
	for _, j := range q.which {
		v, r := append([]float64(nil), q.columns[j]...), make([]float64, len(q.base)+1)
		for range 2 {
			for k, b := range q.base {
				s := dot(b, v)
				r[k] += s
				along(v, -s, b)
			}
		}
		l := norm(v)
		if l <= slack {
			return false
		}
		r[len(q.base)] = l
		for i := range v {
			v[i] /= l
		}
		q.base, q.upper = append(q.base, v), append(q.upper, r)
	}
	for k := len(q.which) - 1; k >= 0; k-- {
		s := dot(q.base[k], q.y)
		for i := k + 1; i < len(q.which); i++ {
			s -= float64(q.upper[i][k] * q.try[q.which[i]])
		}
		q.try[q.which[k]] = s / q.upper[k][k]
	}
	return true
}

// leftover sets rest to what the coefficients leave of y.
func (q *nonNegative) leftover() {
	copy(q.rest, q.y)
	for j, c := range q.columns {
		if q.x[j] != 0 {
			along(q.rest, -q.x[j], c)
		}
	}
}

// dot is a sum of products, in order.
func dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}

// along adds f times b to a.
func along(a []float64, f float64, b []float64) {
	for i, x := range b {
		a[i] += float64(f * x)
	}
}

// norm is the length of a vector.
func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }
