package cost

import (
	"errors"
	"testing"
)

// A short run is measured three times and the middle one counts; a long one is measured once, and a
// fault ends it.
func TestSteady(t *testing.T) {
	for _, c := range []struct {
		seconds []float64
		want    float64
		asked   int
	}{
		{[]float64{0.5, 0.9, 0.4}, 0.5, 3},
		{[]float64{0.9, 0.4, 0.5}, 0.5, 3},
		{[]float64{1, 0.2, 0.3}, 1, 1},
		{[]float64{0.99, 1.01, 1.02}, 1.01, 3},
	} {
		asked := 0
		r, err := Steady(func() (Run, error) {
			asked++
			return Run{Seconds: c.seconds[asked-1]}, nil
		})
		if err != nil || r.Seconds != c.want || asked != c.asked {
			t.Errorf("%v: %v after %d runs, error %v, expected %v after %d", c.seconds, r.Seconds, asked, err, c.want, c.asked)
		}
	}
	fault := errors.New("no trace")
	if _, err := Steady(func() (Run, error) { return Run{}, fault }); !errors.Is(err, fault) {
		t.Errorf("error %v, expected %v", err, fault)
	}
}
