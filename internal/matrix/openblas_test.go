//go:build openblas

package matrix

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestSameTwice: a product has the same bits again, elsewhere in memory and with any number of
// processors.
func TestSameTwice(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	shapes(func(r *rand.Rand, m, k, n int) {
		a, b := numbers(r, m*k), numbers(r, k*n)
		want, got := make([]float64, m*n), make([]float64, m*n)
		for i, f := range []func(c, a, b []float64){
			func(c, a, b []float64) { Product(c, a, b, m, k, n) },
			func(c, a, b []float64) { Left(c, a, b, m, k, n, 64) },
			func(c, a, b []float64) { clear(c); AddRight(c, a, b, m, k, n) },
		} {
			f(want, a, b)
			for shift := range 4 {
				runtime.GOMAXPROCS(1 + shift%2)
				move := func(x []float64) []float64 { return slices.Concat(make([]float64, shift), x)[shift:] }
				if f(got, move(a), move(b)); !sameBits(got, want) {
					t.Fatalf("product %d of %d by %d by %d, %d numbers further: other bits", i, m, k, n, shift)
				}
			}
		}
	})
}

// TestNear: products differ from the exact ones by what the order of sums can do, and no more.
func TestNear(t *testing.T) {
	shapes(func(r *rand.Rand, m, k, n int) {
		a, b, got, want, size := numbers(r, m*k), numbers(r, k*n), make([]float64, m*n), make([]float64, m*n),
			make([]float64, m*n)
		abs := func(x []float64) []float64 {
			y := slices.Clone(x)
			for i := range y {
				y[i] = math.Abs(y[i])
			}
			return y
		}
		near := func(what string) {
			for i := range got {
				if math.Abs(got[i]-want[i]) > float64(k+4)*0x1p-52*size[i] {
					t.Fatalf("%s of %d by %d by %d: number %d is %v, expected %v", what, m, k, n, i, got[i], want[i])
				}
			}
		}
		if m == 0 || n == 0 || k == 0 {
			return
		}
		Product(got, a, b, m, k, n)
		plainPanels(want, a, b, m, k, n, k, 1, false)
		plainPanels(size, abs(a), abs(b), m, k, n, k, 1, false)
		near("product")
		clear(got)
		AddRight(got, a, b, m, k, n)
		plainPanels(want, a, b, m, k, n, 1, m, false)
		plainPanels(size, abs(a), abs(b), m, k, n, 1, m, false)
		near("right")
		Left(got, a, b, m, k, n, 64)
		plainLefts(want, a, b, m, n, k, 0, k, false)
		plainLefts(size, abs(a), abs(b), m, n, k, 0, k, false)
		near("left")
	})
}
