package fraction

import (
	"encoding/json"
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{`"3/2"`: 1.5, `"2"`: 2, `0.25`: .25, `null`: math.Inf(1), `"-1/3"`: -1. / 3} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); err != nil || float64(n) != want {
			t.Errorf("%s is %v (%v), expected %v", text, n, err, want)
		}
	}
	for _, text := range []string{`"x"`, `true`, `[1]`, `"1/0"`} {
		var n Number
		if err := json.Unmarshal([]byte(text), &n); err == nil {
			t.Errorf("%s is %v, expected an error", text, n)
		}
	}
}
