package sim

import "testing"

// Worked by hand: half of a step is communication. At half the clock compute takes twice as long, so
// a step takes 1.5 times as long and 2/3 of it is compute; a double batch does the same and counts
// twice. Zeros change nothing.
func TestScaled(t *testing.T) {
	for _, c := range []struct {
		knobs Knobs
		want  Speed
	}{
		{Knobs{}, Speed{Rate: 6, ComputeFrac: 0.5}},
		{Knobs{ShareMilli: 500}, Speed{Rate: 3, ComputeFrac: 0.5}},
		{Knobs{FreqFrac: 0.5}, Speed{Rate: 4, ComputeFrac: 2.0 / 3}},
		{Knobs{Batch: 2}, Speed{Rate: 8, ComputeFrac: 2.0 / 3}},
	} {
		if got := c.knobs.Scaled(6, 0.5); got != c.want {
			t.Errorf("%+v gives %+v, expected %+v", c.knobs, got, c.want)
		}
	}
}
