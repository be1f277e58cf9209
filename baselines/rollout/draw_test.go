package rollout

import (
	"math"
	"testing"

	"tarry/sim/law"
)

// Draws of a wide law that are narrowed are draws of the narrow law, also of a job that has run.
func TestSpreadOfDraws(t *testing.T) {
	wide := law.Law{LogMedian: math.Log(500), Shape: law.LogNormal(1)}
	for _, c := range []float64{0.5, 0.8, 1, 1.5} {
		narrow := law.Law{LogMedian: wide.LogMedian, Shape: law.LogNormal(c)}
		for _, ran := range []float64{0, 30, 400, 900} {
			for _, u := range []float64{0.02, 0.3, 0.5, 0.9} {
				got, want := beyond(wide, c, ran, u), narrow.Beyond(ran, u)
				if math.Abs(got/want-1) > 0.02 {
					t.Errorf("spread %v, %v s, %v: %v, expected %v", c, ran, u, got, want)
				}
			}
		}
	}
	if exact := (law.Law{LogMedian: 3}); beyond(exact, 0.5, 7, 0.3) != exact.Beyond(7, 0.3) {
		t.Error("a law without spread is narrowed")
	}
}
