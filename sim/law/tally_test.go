package law

import (
	"math"
	"testing"

	"tarry/sim/rng"
)

// Laws that are true are calibrated, and their R2 is what the spread leaves of the variance.
func TestTally(t *testing.T) {
	draws := rng.Source{Seed: 1}.Stream("tally")
	var a Tally
	for range 20_000 {
		l := Law{LogMedian: 6 + draws.NormFloat64(), Shape: LogNormal(0.5)}
		a.Add(l, math.Exp(l.LogMedian+0.5*draws.NormFloat64()))
	}
	near(t, "R2", a.R2(), 1-0.25/1.25, 0.02)
	near(t, "SD", a.SD(), 0.5, 0.02)
	near(t, "spread", a.Mean(a.Spread), 0.5, 1e-9)
	near(t, "SD of log run", a.LogRunSD(), math.Sqrt(1.25), 0.02)
	near(t, "below the median", a.Part(a.Below50), 0.5, 0.03)
	near(t, "below the 90 % quantile", a.Part(a.Below90), 0.9, 0.01)
	near(t, "within", a.Part(a.Within80), 0.8, 0.02)
	if a.Jobs != 20_000 {
		t.Errorf("%d jobs", a.Jobs)
	}
}

// The truth has R2 1 and no error; one constant that is the mean has 0, another one less; nothing
// has no number.
func TestTallyOfExtremes(t *testing.T) {
	var exact, mean, off, none, alike Tally
	for _, run := range []float64{math.Exp(2), math.Exp(4)} {
		exact.Add(Law{LogMedian: math.Log(run)}, run)
		mean.Add(Law{LogMedian: 3}, run)
		off.Add(Law{LogMedian: 5}, run)
		alike.Add(Law{LogMedian: 1}, 7)
	}
	if exact.R2() != 1 || exact.SD() != 0 || exact.Below50 != 2 || exact.Below90 != 2 || exact.Within80 != 2 {
		t.Errorf("the truth: %+v", exact)
	}
	if mean.R2() != 0 || mean.Below50 != 1 || math.Abs(off.R2()+4) > 1e-9 || off.Below50 != 2 || off.Error != -4 {
		t.Errorf("constants: %+v, %+v", mean, off)
	}
	if alike.R2() != 0 || !math.IsNaN(none.R2()) || !math.IsNaN(none.SD()) {
		t.Errorf("no variance: %v, no jobs: %v", alike.R2(), none.R2())
	}
}
