package nn

import (
	"math"
	"math/rand/v2"

	"tarry/sim/rng"
)

// Orthogonal fills a matrix so that its rows, or its columns if there are more rows than
// columns, are orthogonal and of length gain (Saxe et al., arXiv:1312.6120). The
// directions are uniform: Gaussian numbers from the stream, made orthogonal by the
// modified Gram-Schmidt process, twice for accuracy.
func Orthogonal(p *Param, gain float64, r *rand.Rand) {
	n, length := p.Rows, p.Cols
	if n > length {
		n, length = length, n
	}
	q := make([][]float64, n)
	for i := range q {
		q[i] = make([]float64, length)
		for norm := 0.0; norm < 1e-6; { // a draw that depends on the former ones is drawn again
			for j := range q[i] {
				q[i][j] = rng.Normal(r)
			}
			removeAll(q[i], q[:i])
			removeAll(q[i], q[:i])
			norm = math.Sqrt(dot(q[i], q[i]))
			for j := range q[i] {
				q[i][j] /= norm
			}
		}
	}
	for i := range p.W {
		row, col := i/p.Cols, i%p.Cols
		if p.Rows > p.Cols {
			row, col = col, row
		}
		p.W[i] = gain * q[row][col]
	}
}

// removeAll takes from x its part along each of the unit vectors.
func removeAll(x []float64, units [][]float64) {
	for _, u := range units {
		c := dot(x, u)
		for j := range x {
			x[j] -= float64(c * u[j])
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
