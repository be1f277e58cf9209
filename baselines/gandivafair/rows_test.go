package gandivafair

import "testing"

// Rows that a market gets back after it was smaller are there, however memory grew in between.
func TestRowsGrowAgain(t *testing.T) {
	var m [][]float64
	for _, many := range []int{1, 3, 2, 4, 1, 9} {
		m = rows(m, many, 2)
		for i := range m {
			if len(m) != many || len(m[i]) != 2 {
				t.Fatalf("%d rows, the %d-th of %d numbers", len(m), i, len(m[i]))
			}
		}
	}
}
