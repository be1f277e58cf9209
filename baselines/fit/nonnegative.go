package fit

import (
	"math"
)

// NonNegative gives the coefficients, none below 0, with which the columns of a design come nearest
// to y, and the distance (the 2-norm of the residual): Lawson and Hanson's NNLS. Rows of the design
// are observations, as many as y has, and equally long. Where columns depend on one another the
// coefficients are one of the best choices. A design of other sizes, or with what is no number, has
// no coefficients and the distance NaN.
func NonNegative(design [][]float64, y []float64) (coef []float64, residual float64) {
	return new(Squares).NonNegative(design, y)
}

// Squares is the memory of NonNegative for fits one after the other, which then allocate nothing
// once warm. The zero value is ready.
type Squares struct {
	columns [][]float64 // of length 1
	lengths []float64   // that they had
	y, rest []float64   // what to reach, and what is left of it
	x, try  []float64   // the coefficients so far and the coefficients of the present least squares
	in      []bool
	which   []int       // the columns in use, by when they came
	base    [][]float64 // orthonormal, of which's columns
	upper   [][]float64 // base times upper are which's columns; by column
}

// NonNegative is the function; the coefficients are valid until the next call.
func (q *Squares) NonNegative(design [][]float64, y []float64) (coef []float64, residual float64) {
	if len(design) != len(y) || len(y) == 0 {
		return nil, math.NaN()
	}
	n := len(design[0])
	q.y, q.rest, q.lengths = y, sized(q.rest, len(y)), sized(q.lengths, n)
	q.x, q.try, q.which = sized(q.x, n), sized(q.try, n), q.which[:0]
	q.columns, q.base, q.upper = rows(q.columns, n, len(y)), rows(q.base, n, len(y)), rows(q.upper, n, n)
	q.in = append(q.in[:0], make([]bool, n)...)
	for j, c := range q.columns {
		for i, row := range design {
			if len(row) != n || math.IsNaN(row[j]-row[j]) || math.IsNaN(y[i]-y[i]) {
				return nil, math.NaN()
			}
			c[i] = row[j]
		}
		if q.lengths[j] = norm(c); q.lengths[j] > 0 {
			for i := range c {
				c[i] /= q.lengths[j]
			}
		}
	}
	q.run()
	for j, l := range q.lengths {
		if l > 0 {
			q.x[j] /= l
		}
	}
	return q.x, norm(q.rest)
}

// sized gives n zeros, in the memory of s if that is enough.
func sized(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// rows gives n rows of m zeros.
func rows(s [][]float64, n, m int) [][]float64 {
	s = s[:cap(s)]
	for len(s) < n {
		s = append(s, nil)
	}
	s = s[:n]
	for i := range s {
		s[i] = sized(s[i], m)
	}
	return s
}

// slack is how far rounding may take a slope or a column that depends on others from 0, of the
// length of y or the column.
const slack = 1e-13

// run takes in the column that helps most until none helps.
func (q *Squares) run() {
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

// settle solves for the columns in use, and leaves out columns whose coefficients would fall to 0
// on the way there. It reports false where the newest does not help, by rounding.
func (q *Squares) settle(newest int) bool {
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
			// The column that binds goes, even where rounding would leave it a coefficient above 0.
			if x, to := q.x[j], q.try[j]; to <= 0 && (x/(x-to) <= part || x <= float64(part*(x-to))) {
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

// least sets try to the least squares of the columns in use, by Gram and Schmidt's orthonormal
// base, made twice. It reports false where the last of them depends on the others.
func (q *Squares) least() bool {
	for used, j := range q.which {
		v, r := q.base[used], q.upper[used]
		copy(v, q.columns[j])
		clear(r)
		for range 2 {
			for k, b := range q.base[:used] {
				s := dot(b, v)
				r[k] += s
				along(v, -s, b)
			}
		}
		l := norm(v)
		if l <= slack {
			return false
		}
		r[used] = l
		for i := range v {
			v[i] /= l
		}
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
func (q *Squares) leftover() {
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
