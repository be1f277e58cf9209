package rng

import "sort"

// Choice picks an index with probability proportional to its weight.
type Choice struct{ sums []float64 }

// NewChoice takes weights >= 0, at least one of them > 0.
func NewChoice(weights []float64) *Choice {
	c := &Choice{sums: make([]float64, len(weights))}
	sum := 0.0
	for i, w := range weights {
		sum += w
		c.sums[i] = sum
	}
	return c
}

// Pick takes one number from the stream.
func (c *Choice) Pick(s *Stream) int {
	u := s.Float64() * c.sums[len(c.sums)-1]
	i := sort.Search(len(c.sums), func(i int) bool { return c.sums[i] > u })
	return min(i, len(c.sums)-1)
}
