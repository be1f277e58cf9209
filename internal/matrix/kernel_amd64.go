//go:build amd64 && !purego && !openblas

package matrix

import "golang.org/x/sys/cpu"

// vector says that the processor can run the assembly.
var vector = cpu.X86.HasAVX2

// panel8 sets or adds to 4*quads rows of 8 columns of c: c[i][j] = sum of a[i*rowA+l*stepA] b[l*ldb+j] over l < k.
//
//go:noescape
func panel8(quads, k int, a *float64, rowA, stepA int, b *float64, ldb int, c *float64, ldc int, add bool)

// panel4 is panel8 for 1 to 4 columns.
//
//go:noescape
func panel4(quads, k int, a *float64, rowA, stepA int, b *float64, ldb int, c *float64, ldc int, add bool, cols int)

// row sets or adds to one row of n columns: y[j] = sum of x[l*stepX] b[l*ldb+j] over l < k.
//
//go:noescape
func row(k, n int, x *float64, stepX int, b *float64, ldb int, y *float64, add bool)

// dots8 sets or adds to 4*quads rows of 2*pairs columns of c the scalar products of rows of a and rows of b.
//
//go:noescape
func dots8(quads, pairs, k int, a *float64, lda int, b *float64, ldb int, c *float64, ldc int, add bool)

// dots4 sets or adds to 4*quads numbers, stepC apart, the scalar products of rows of a with b.
//
//go:noescape
func dots4(quads, k int, a *float64, lda int, b *float64, c *float64, stepC int, add bool)

// panels computes c = a b, or adds it, by the assembly.
func panels(c, a, b []float64, m, k, n, rowA, stepA int, add bool) {
	if !vector {
		plainPanels(c, a, b, m, k, n, rowA, stepA, add)
		return
	}
	quads := m / 4
	if quads > 0 {
		j := 0
		for ; j+8 <= n; j += 8 {
			panel8(quads, k, first(a), rowA, stepA, at(b, j), n, &c[j], n, add)
		}
		for ; j < n; j += 4 {
			panel4(quads, k, first(a), rowA, stepA, at(b, j), n, &c[j], n, add, min(4, n-j))
		}
	}
	for i := 4 * quads; i < m; i++ {
		row(k, n, at(a, i*rowA), stepA, first(b), n, &c[i*n], add)
	}
}

// lefts computes the part of c = a bᵀ from columns from to from+k of both, or adds it, by the assembly. Rows of a and b are
// ld long.
func lefts(c, a, b []float64, m, n, ld, from, k int, add bool) {
	if !vector {
		plainLefts(c, a, b, m, n, ld, from, k, add)
		return
	}
	quads, pairs := m/4, n/2
	a, b = a[from:], b[from:]
	if quads > 0 && pairs > 0 {
		dots8(quads, pairs, k, first(a), ld, first(b), ld, first(c), n, add)
	}
	if quads > 0 && n%2 > 0 {
		dots4(quads, k, first(a), ld, at(b, (n-1)*ld), at(c, n-1), n, add)
	}
	for i := 4 * quads; i < m; i++ {
		x, y := a[i*ld:], c[i*n:(i+1)*n]
		if n >= 4 {
			dots4(n/4, k, first(b), ld, first(x), first(y), 1, add)
		}
		for j := n &^ 3; j < n; j++ {
			y[j] = dot(x[:k], b[j*ld:], y[j], add)
		}
	}
}
