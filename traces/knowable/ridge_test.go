package knowable

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The solver against elimination on the normal equations written out.
func TestSolverAgainstElimination(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const rows, values = 200, 7
	a, b := column{index: make([]int32, rows), values: values}, column{index: make([]int32, rows), values: values * 2}
	n := column{number: make([]float64, rows)}
	y := make([]float64, rows)
	for i := range y {
		a.index[i] = int32(r.IntN(values))
		b.index[i] = 2*a.index[i] + int32(r.IntN(2)) // nested in a: without the ridge there is no single solution
		n.number[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	m := newModel(rows, []column{a, b, n})
	got := m.solve(y)
	want := eliminate(m, y)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-5 {
			t.Errorf("coefficient %d is %.8f, expected %.8f", i, got[i], want[i])
		}
	}
}

// eliminate solves (X'X + ridge) b = X'y.
func eliminate(m *model, y []float64) []float64 {
	row := func(i int) []float64 {
		x := make([]float64, m.size)
		for k, c := range m.columns {
			if c.number != nil {
				x[m.offset[k]] = c.number[i]
			} else {
				x[m.offset[k]+int(c.index[i])] = 1
			}
		}
		return x
	}
	n := m.size
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		a[i][i] = ridge
	}
	for i := range y {
		x := row(i)
		for j := range n {
			for k := range n {
				a[j][k] += x[j] * x[k]
			}
			a[j][n] += x[j] * y[i]
		}
	}
	for p := range n {
		for i := range n {
			if i != p {
				f := a[i][p] / a[p][p]
				for k := range a[i] {
					a[i][k] -= f * a[p][k]
				}
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = a[i][n] / a[i][i]
	}
	return out
}

// A category's mean counts as its jobs / (its jobs + ridge); one that the fitted rows lack has the
// mean of all.
func TestShrinkage(t *testing.T) {
	y := []float64{3, 3, 3, 3, 3, -3, -3, -3, -3, -3, 0, 0, 0}
	c := column{index: []int32{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 2}, values: 3}
	got := predict(y, 10, []column{c})
	half := 5.0 / (5 + ridge)
	for i, want := range map[int]float64{0: 3 * half, 9: -3 * half, 10: 3 * half, 11: -3 * half, 12: 0} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("row %d is predicted as %.4f, expected %.4f", i, got[i], want)
		}
	}
}
