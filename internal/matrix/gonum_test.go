//go:build amd64 && !openblas

package matrix

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// TestNoNumberMoved: the products equal gonum's assembly on amd64, bit for bit.
func TestNoNumberMoved(t *testing.T) {
	var g gonum.Implementation
	shapes(func(r *rand.Rand, m, k, n int) {
		if m == 0 || n == 0 || k == 0 || ((m+63)/64)*((n+63)/64) >= 4 {
			return // gonum cuts large products into parts
		}
		a, b, before := numbers(r, m*k), numbers(r, k*n), numbers(r, m*n)
		got, want := slices.Clone(before), make([]float64, m*n)
		Product(got, a, b, m, k, n)
		g.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, b, n, 0, want, n)
		if !sameBits(got, want) {
			t.Fatalf("product of %d by %d by %d: %v, gonum %v", m, k, n, got, want)
		}
		Left(got, a, b, m, k, n, k)
		g.Dgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, want, n)
		if !sameBits(got, want) {
			t.Fatalf("left of %d by %d by %d: %v, gonum %v", m, k, n, got, want)
		}
		for i := range got {
			got[i], want[i] = before[i]+0, before[i]+0 // no -0: gonum skips factors of 0
		}
		AddRight(got, a, b, m, k, n)
		g.Dgemm(blas.Trans, blas.NoTrans, m, n, k, 1, a, m, b, n, 1, want, n)
		if !sameBits(got, want) {
			t.Fatalf("right of %d by %d by %d: %v, gonum %v", m, k, n, got, want)
		}
		got, want = slices.Clone(before[:n]), slices.Clone(before[:n])
		Add(got, a[:k], b, 1, k, n)
		g.Dgemv(blas.Trans, k, n, 1, b, n, a[:k], 1, 1, want, 1)
		if !sameBits(got, want) {
			t.Fatalf("row of %d by %d: %v, gonum %v", k, n, got, want)
		}
	})
}

// TestStepsAreGonums: a large product with a transposed factor, which gonum cuts into blocks of 64
// terms.
func TestStepsAreGonums(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, s := range [][3]int{{128, 200, 128}, {256, 64, 64}, {65, 129, 200}} {
		m, k, n := s[0], s[1], s[2]
		a, b, got, want := numbers(r, m*k), numbers(r, k*n), make([]float64, m*n), make([]float64, m*n)
		Left(got, a, b, m, k, n, 64)
		gonum.Implementation{}.Dgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, want, n)
		if !sameBits(got, want) {
			t.Fatalf("left of %v differs from gonum's", s)
		}
	}
}
