package learn

import (
	"math"
	"testing"
)

func TestTally(t *testing.T) {
	var all Tally
	var row Row
	if all.Tell(&row); !math.IsNaN(row.Return) || !math.IsNaN(row.Length) || row.Episodes != 0 {
		t.Errorf("without episodes the row is %+v", row)
	}
	for i := range 150 {
		all.Add(float64(i), 2)
	}
	all.Tell(&row)
	if row.Return != 99.5 || row.Length != 2 || row.Episodes != 150 || math.Abs(row.ReturnStd-math.Sqrt((100*100-1)/12.0)) > 1e-9 {
		t.Errorf("after 150 episodes the row is %+v", row)
	}
	if got := Explained([]float64{1, 2, 3}, []float64{1, 2, 3}); got != 1 {
		t.Errorf("a perfect critic explains %g", got)
	}
	if got := Explained([]float64{1, 2, 3}, []float64{5, 5, 5}); got != 0 {
		t.Errorf("a constant critic explains %g", got)
	}
}
