//go:build amd64 && !purego && !openblas

package matrix

import "golang.org/x/sys/cpu"

// vector states that the processor can run the assembly.
var vector = cpu.X86.HasAVX2

// panel8 sets or adds to 4*quads rows of 8 columns of c: c[i][j] = sum of a[i*rowA+l*stepA]
// b[l*ldb+j] over l < k.
//
//go:noescape
func panel8(quads, k int, a *float64, rowA, stepA int, b *float64, ldb int, c *float64, ldc int, add bool)

// panelRows is panel8 for factors of a sum side by side in a (stepA is 1) and packed rows of b (ldb
// is 8).
//
//go:noescape
func panelRows(quads, k int, a *float64, rowA int, b, c *float64, ldc int, add bool)

// panelCols is panel8 for rows side by side in a (rowA is 1) and packed rows of b (ldb is 8).
//
//go:noescape
func panelCols(quads, k int, a *float64, stepA int, b, c *float64, ldc int, add bool)

// pack8 writes k rows of 8 numbers of b, ldb apart, one after the other.
//
//go:noescape
func pack8(k int, dst, b *float64, ldb int)

// panel4 is panel8 for 1 to 4 columns.
//
//go:noescape
func panel4(quads, k int, a *float64, rowA, stepA int, b *float64, ldb int, c *float64, ldc int, add bool, cols int)

// row sets or adds to one row of n columns: y[j] = sum of x[l*stepX] b[l*ldb+j] over l < k.
//
//go:noescape
func row(k, n int, x *float64, stepX int, b *float64, ldb int, y *float64, add bool)

// dots8 sets or adds to 4*quads rows of 2*pairs columns of c the scalar products of rows of a and
// rows of b.
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
	if n == 1 && rowA == 1 { // a column is a row, and the rows of aᵀ stand side by side
		row(k, m, first(b), 1, first(a), stepA, first(c), add)
		return
	}
	quads := m / 4
	if quads > 0 {
		if quads >= 4 && k >= 16 && n > 8 {
			packed(c, a, b, quads, k, n, rowA, stepA, add)
		} else {
			for j := 0; j+8 <= n; j += 8 {
				panel8(quads, k, first(a), rowA, stepA, at(b, j), n, &c[j], n, add)
			}
		}
		for j := n &^ 7; j < n; j += 4 {
			panel4(quads, k, first(a), rowA, stepA, at(b, j), n, &c[j], n, add, min(4, n-j))
		}
	}
	for i := 4 * quads; i < m; i++ {
		row(k, n, at(a, i*rowA), stepA, first(b), n, &c[i*n], add)
	}
}

// most is how many rows of b are packed at a time.
const most = 128

// packed computes 4*quads rows of all whole panels. The rows of a panel of b are far apart, often
// by a power of two, for which a cache has few places; one after the other they stay in it.
func packed(c, a, b []float64, quads, k, n, rowA, stepA int, add bool) {
	var room [8 * most]float64
	for l := 0; l < k; l += most {
		few := min(most, k-l)
		for j := 0; j+8 <= n; j += 8 {
			pack8(few, &room[0], &b[l*n+j], n)
			if stepA == 1 {
				panelRows(quads, few, &a[l], rowA, &room[0], &c[j], n, add || l > 0)
			} else {
				panelCols(quads, few, &a[l*stepA], stepA, &room[0], &c[j], n, add || l > 0)
			}
		}
	}
}

// lefts computes the part of c = a bᵀ from columns from to from+k of both, or adds it, by the
// assembly. Rows of a and b are ld long.
func lefts(c, a, b []float64, m, n, ld, from, k int, add bool) {
	if !vector {
		plainLefts(c, a, b, m, n, ld, from, k, add)
		return
	}
	a, b = a[from:], b[from:]
	if k < 4 && !add && n <= 2*most { // of the four sums there is one
		var room [6 * most]float64
		for j := range n {
			for l, v := range b[j*ld : j*ld+k] {
				room[l*n+j] = v
			}
		}
		panels(c, a, room[:k*n], m, k, n, ld, 1, false)
		return
	}
	quads, pairs := m/4, n/2
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
