package predictors

import (
	"fmt"
	"math"

	"tarry/internal/stats"
)

// Classes of R2 of predictors that learn, and their least values.
func classes() []float64 { return []float64{math.Inf(-1), 0, 0.2, 0.4, 0.6, 0.8} }

// className names a class.
func className(i int) string {
	edges := classes()
	if i == 0 {
		return "below 0"
	}
	top := 1.0
	if i+1 < len(edges) {
		top = edges[i+1]
	}
	return fmt.Sprintf("%.1f to %.1f", edges[i], top)
}

// class is what an order gained with predictors of a class of R2.
type class struct {
	r2 float64 // mean
	iv stats.Interval
	// pairs of setting and predictor, of so many settings.
	pairs, settings int
}

// byClass compares an order with a base over all pairs of a setting and a predictor that learns:
// geometric means, and 95 % intervals over settings.
func (s *sheet) byClass(policy, base string) []class {
	edges := classes()
	out := make([]class, len(edges))
	points := make([][][]float64, len(edges)) // class -> setting -> logarithms of ratios
	for _, one := range s.settings {
		own := make([][]float64, len(edges))
		for _, p := range fitted() {
			r2, log := s.r2(one, p), s.ratio(one, p, policy, base)
			if math.IsNaN(r2) || math.IsNaN(log) {
				continue
			}
			k := len(edges) - 1
			for r2 < edges[k] {
				k--
			}
			own[k] = append(own[k], log)
			out[k].r2 += r2
			out[k].pairs++
		}
		for k := range own {
			if own[k] != nil {
				points[k] = append(points[k], own[k])
			}
		}
	}
	for k := range out {
		out[k].r2 /= float64(out[k].pairs)
		out[k].settings = len(points[k])
		out[k].iv = clustered(points[k])
	}
	return out
}

// clustered is the mean of all numbers with the jackknife's interval over groups.
func clustered(groups [][]float64) stats.Interval {
	number := make([]float64, len(groups))
	for i := range number {
		number[i] = float64(i)
	}
	iv, err := stats.Estimate([]stats.Grid{{number}}, stats.Plain, func(g []stats.Grid) float64 {
		sum, n := 0.0, 0
		for _, group := range g[0][0] {
			for _, v := range groups[int(group)] {
				sum += v
				n++
			}
		}
		return sum / float64(n)
	})
	if err != nil { // one grid has one width
		iv.N = 0
	}
	return percentOf(iv)
}
