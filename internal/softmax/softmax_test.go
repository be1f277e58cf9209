package softmax

import (
	"math"
	"testing"
)

// Logits of any size become log-probabilities whose sum is 1, equal to the formula by hand.
func TestLog(t *testing.T) {
	for _, logits := range [][]float64{{0}, {1, 2, 3}, {1e308, -1e308, 0}, {-800, -801}, make([]float64, 70)} {
		x, sum, part := append([]float64(nil), logits...), 0.0, 0.0
		Log(x, nil)
		high := logits[Argmax(logits)]
		for _, l := range logits {
			part += math.Exp(l - high)
		}
		for i, l := range x {
			sum += math.Exp(l)
			if want := logits[i] - high - math.Log(part); math.Abs(l-want) > 1e-12*max(1, math.Abs(want)) {
				t.Errorf("%v: entry %d is %g, expected %g", logits, i, l, want)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%v: probabilities sum to %g", logits, sum)
		}
	}
}

func TestMask(t *testing.T) {
	x := []float64{5, 1, 1}
	Log(x, []bool{false, true, true})
	if p := math.Exp(x[0]); p != 0 || math.Abs(x[1]+math.Ln2) > 1e-12 || x[1] != x[2] {
		t.Errorf("log-probabilities %v, expected -inf in effect, -log 2 and -log 2", x)
	}
	if Argmax(x) != 1 {
		t.Errorf("the first of the largest of %v is %d, expected 1", x, Argmax(x))
	}
}
