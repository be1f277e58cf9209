package stats

import (
	"math"
	"testing"
)

// Windows that take turns come apart and together again, and regimes of very different spread weigh
// alike.
func TestMixture(t *testing.T) {
	g := Grid{{1, 10, 3, 30, 5}, {2, 20, 4, 40, 6}}
	same := func(what string, got, want Grid) {
		t.Helper()
		for s := range want {
			if len(got) != len(want) || len(got[s]) != len(want[s]) {
				t.Fatalf("%s: %v, expected %v", what, got, want)
			}
			for i, v := range want[s] {
				if got[s][i] != v {
					t.Errorf("%s: %v, expected %v", what, got, want)
				}
			}
		}
	}
	same("over", g.Over([]float64{1, 10, 1, 10, 5}), Grid{{1, 1, 3, 3, 1}, {2, 2, 4, 4, 1.2}})
	same("every", g.Every(2, 1), Grid{{10, 30}, {20, 40}})
	same("rounds", g.Rounds(2), Grid{{5.5, 16.5}, {11, 22}})
	same("ones", Ones(2), Grid{{1, 1}})
	// Regime 0 is always at 0.5, regime 1 at 1: a round has no spread, so the interval has no
	// width.
	x := Grid{{0.5, 1, 0.5, 1, 0.5, 1, 0.5, 1}}
	iv, err := Percent(x.Rounds(2), Ones(4))
	if err != nil || math.Abs(iv.Point+25) > 1e-12 || iv.Hi-iv.Lo > 1e-9 {
		t.Errorf("%+v, %v, expected -25 without width", iv, err)
	}
}
