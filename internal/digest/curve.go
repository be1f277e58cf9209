package digest

import (
	"math"
	"slices"

	"tarry/internal/figure"
	"tarry/internal/stats"
)

// curve holds the values of all seeds by the number of steps.
type curve struct {
	steps  []float64
	values map[float64][]float64
}

func (c *curve) add(steps, v float64) {
	if c.values == nil {
		c.values = map[float64][]float64{}
	}
	if c.values[steps] == nil {
		c.steps = append(c.steps, steps)
	}
	c.values[steps] = append(c.values[steps], v)
}

// series gives mean and interval at each number of steps, ascending.
func (c *curve) series(name string) figure.Series {
	slices.Sort(c.steps)
	s := figure.Series{Name: name, X: c.steps}
	for _, x := range c.steps {
		iv := stats.TInterval(c.values[x], 0.95)
		if iv.N < 2 {
			iv.Lo, iv.Hi = math.NaN(), math.NaN()
		}
		s.Y, s.Lo, s.Hi = append(s.Y, iv.Point), append(s.Lo, iv.Lo), append(s.Hi, iv.Hi)
	}
	return s
}
