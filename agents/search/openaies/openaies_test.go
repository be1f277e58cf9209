package openaies

import (
	"math"
	"slices"
	"testing"
)

// Ranks run from -1/2 to 1/2; equal costs share one, and infinite ones are last.
func TestRanks(t *testing.T) {
	of := []float64{5, 1, math.Inf(1), 1, 7}
	if got, want := ranks(of), []float64{0, -0.375, 0.5, -0.375, 0.25}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, expected %v", got, want)
	}
}
