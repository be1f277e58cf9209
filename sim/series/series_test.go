package series

import (
	"math"
	"testing"
)

// Values and next steps of series that repeat, hold and are constant; wrong ones are refused.
func TestSeries(t *testing.T) {
	day := &Series{Steps: []Step{{0, 1}, {10, 2}, {30, 3}}, Every: 40}
	once := &Series{Steps: day.Steps}
	for _, c := range []struct {
		s     *Series
		at    int64
		value float64
		next  int64
	}{
		{day, -5, 1, 0}, {day, 0, 1, 10}, {day, 9, 1, 10}, {day, 10, 2, 30}, {day, 39, 3, 40},
		{day, 40, 1, 50}, {day, 75, 3, 80}, {once, 39, 3, math.MaxInt64}, {once, 4000, 3, math.MaxInt64},
		{Constant(7), 3, 7, math.MaxInt64},
	} {
		if err := c.s.Validate(); err != nil {
			t.Fatal(err)
		}
		if v, n := c.s.At(c.at), c.s.Next(c.at); v != c.value || n != c.next {
			t.Errorf("at %d: value %v, next step %d, expected %v and %d", c.at, v, n, c.value, c.next)
		}
	}
	for _, s := range []Series{{}, {Steps: []Step{{1, 1}}}, {Steps: []Step{{0, 1}, {0, 2}}},
		{Steps: []Step{{0, math.NaN()}}}, {Steps: []Step{{0, 1}, {9, 1}}, Every: 9}} {
		if s.Validate() == nil {
			t.Errorf("%+v is valid, expected an error", s)
		}
	}
}
