package digest

import (
	"math"
	"strings"
	"testing"

	"tarry/experiments/sweep"
)

// A ratio is of means over the values of both series; one value has no interval, what is not finite
// in one is left out of both, and a pair without rows is left out.
func TestRatios(t *testing.T) {
	d := data(t, "simulate")
	p := Pages{Book: NewBook(d, rows(d, func(*sweep.Cell) float64 { return 1 })), X: "load", Series: "policy"}
	many := func(x, series string) []float64 {
		if series == "dally" {
			return []float64{1, 2, 3, math.NaN(), 7}
		}
		return []float64{2, 4, 6, 100, math.Inf(1)}
	}
	got, err := p.Ratios("jct_mean_s", many, [2]string{"dally", "fifo"}, [2]string{"dally", "nobody"})
	if err != nil || !strings.Contains(got, "| dally against fifo | 2.00 [2.00, 2.00] |") ||
		strings.Contains(got, "nobody") {
		t.Errorf("%v\n%s", err, got)
	}
	one := func(x, series string) []float64 { return many(x, series)[:1] }
	if got, err = p.Ratios("jct_mean_s", one, [2]string{"fifo", "dally"}); err != nil ||
		!strings.Contains(got, "| fifo against dally | 0.50 |") {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err = p.Ratios("jct_mean_s", func(x, series string) []float64 { return make([]float64, len(series)) },
		[2]string{"fifo", "dally"}); err == nil {
		t.Error("no error for series of different length")
	}
}
