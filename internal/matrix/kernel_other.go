//go:build (!amd64 || purego) && !openblas

package matrix

const vector = false

func panels(c, a, b []float64, m, k, n, rowA, stepA int, add bool) {
	plainPanels(c, a, b, m, k, n, rowA, stepA, add)
}

func lefts(c, a, b []float64, m, n, ld, from, k int, add bool) {
	plainLefts(c, a, b, m, n, ld, from, k, add)
}
