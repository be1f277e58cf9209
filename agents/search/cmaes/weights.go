package cmaes

import "math"

// effective is the number of points that count: the square of the sum over the sum of squares.
func effective(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	return sum * sum / dot(w, w)
}

// scale makes the absolute values add up to sum.
func scale(w []float64, sum float64) {
	have := 0.0
	for _, v := range w {
		have += math.Abs(v)
	}
	for i := range w {
		w[i] *= sum / have
	}
}
