package matrix

import (
	"fmt"
	"unsafe"
)

// Exact is the Arithmetic whose bits do not depend on the processor or the build.
const Exact = "exact"

// Product sets c, m by n, to a b for a, m by k, and b, k by n.
func Product(c, a, b []float64, m, k, n int) {
	check(c, a, b, m, k, n)
	multiply(c, a, b, m, k, n, k, 1, false)
}

// Add adds a b to c, as Product.
func Add(c, a, b []float64, m, k, n int) {
	check(c, a, b, m, k, n)
	multiply(c, a, b, m, k, n, k, 1, true)
}

// AddRight adds aᵀ b to c, m by n, for a, k by m, and b, k by n.
func AddRight(c, a, b []float64, m, k, n int) {
	check(c, a, b, m, k, n)
	multiply(c, a, b, m, k, n, 1, m, true)
}

// Left sets c, m by n, to a bᵀ for a, m by k, and b, n by k. If step is below k, the terms step*i
// to step*(i+1) of each sum are added up on their own, and these in order.
func Left(c, a, b []float64, m, k, n, step int) {
	check(c, a, b, m, k, n)
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		clear(c[:m*n])
		return
	}
	step = max(step, leastStep)
	for i := 0; i < m; i += rows {
		few, x, y := min(rows, m-i), a[i*k:], c[i*n:]
		for from := 0; from < k; from += min(step, k) {
			lefts(y, x, b, few, n, k, from, min(step, k-from), from > 0)
		}
	}
}

// rows is how many rows one call of a kernel gets at most: nothing can interrupt it.
const rows = 512

func multiply(c, a, b []float64, m, k, n, rowA, stepA int, add bool) {
	if n == 0 {
		return
	}
	for i := 0; i < m; i += rows {
		panels(c[i*n:], a[min(i*rowA, len(a)):], b, min(rows, m-i), k, n, rowA, stepA, add)
	}
}

// check ends the program before the assembly reads or writes beyond a slice.
func check(c, a, b []float64, m, k, n int) {
	if m < 0 || k < 0 || n < 0 || len(c) < m*n || len(a) < m*k || len(b) < k*n {
		panic(fmt.Sprintf("matrix: %d, %d and %d numbers for a product of %d by %d and %d by %d", len(c), len(a),
			len(b), m, k, k, n))
	}
}

// first is the address of the first number, at the address of number i; neither is read where there
// is none.
func first(x []float64) *float64 { return unsafe.SliceData(x) }

func at(x []float64, i int) *float64 { return unsafe.SliceData(x[min(i, len(x)):]) }
