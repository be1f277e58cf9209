package predictors

import (
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/internal/stats"
)

// percent is how far the mean completion time under an order is above that under a base on one
// setting, in per cent, with its 95 % interval over windows (paired).
func (s *sheet) percent(setting, predictor, policy, base string) stats.Interval {
	x, b := s.paired(setting, predictor, policy, base)
	if len(x) == 0 {
		return stats.Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	iv, err := stats.Percent(stats.Grid{x}, stats.Grid{b})
	if err != nil || iv.N < 2 {
		iv.Lo, iv.Hi = math.NaN(), math.NaN()
	}
	return iv
}

// ratio is the logarithm of the ratio of means on one setting; NaN where one did not run.
func (s *sheet) ratio(setting, predictor, policy, base string) float64 {
	x, b := s.paired(setting, predictor, policy, base)
	if len(x) == 0 {
		return math.NaN()
	}
	return math.Log(stats.Mean(x) / stats.Mean(b))
}

// inPercent turns the logarithm of a ratio into per cent.
func inPercent(log float64) float64 { return 100 * (fixmath.Exp(log) - 1) }

// overall is the geometric mean over settings of that ratio, in per cent, with its 95 % interval
// over settings.
func (s *sheet) overall(predictor, policy, base string) stats.Interval {
	var logs []float64
	for _, one := range s.settings {
		if v := s.ratio(one, predictor, policy, base); !math.IsNaN(v) {
			logs = append(logs, v)
		}
	}
	return percentOf(stats.Student(logs))
}

func percentOf(iv stats.Interval) stats.Interval {
	if iv.N < 2 {
		iv.Lo, iv.Hi = math.NaN(), math.NaN()
	}
	iv.Point, iv.Lo, iv.Hi = inPercent(iv.Point), inPercent(iv.Lo), inPercent(iv.Hi)
	return iv.Snap(0, 100*stats.Relative)
}

// curve is an order against a base along the error of users' guesses, from the largest to none.
type curve struct {
	levels []string    // predictors
	r2     [][]float64 // level -> setting
	logs   [][]float64 // level -> setting: logarithm of the ratio
}

// along makes the curve over the settings that have all of it.
func (s *sheet) along(policy, base string) curve {
	var c curve
	for _, sigma := range sigmas() {
		if slices.Contains(s.predictors, guesses+sigma) {
			c.levels = append(c.levels, guesses+sigma)
		}
	}
	c.levels = append(c.levels, exact)
	c.r2, c.logs = make([][]float64, len(c.levels)), make([][]float64, len(c.levels))
	for _, one := range s.settings {
		var r2, logs []float64
		for _, p := range c.levels {
			r2, logs = append(r2, s.r2(one, p)), append(logs, s.ratio(one, p, policy, base))
		}
		if slices.ContainsFunc(slices.Concat(r2, logs), math.IsNaN) {
			continue
		}
		for i := range c.levels {
			c.r2[i], c.logs[i] = append(c.r2[i], r2[i]), append(c.logs[i], logs[i])
		}
	}
	return c
}

// crossing is the least R2 from which on a line through points stays below 0: +Inf where its end
// does not, -Inf where all of it does.
func crossing(x, y []float64) float64 {
	last := len(y) - 1
	if !(y[last] < 0) {
		return math.Inf(1)
	}
	for i := last - 1; i >= 0; i-- {
		if y[i] >= 0 {
			return x[i] + float64((x[i+1]-x[i])*(y[i]/(y[i]-y[i+1])))
		}
	}
	return math.Inf(-1)
}

// from is the crossing of the means over settings. Its 95 % interval has the R2 at which Student's
// interval of the mean over settings contains 0: it runs from the crossing of the lower bounds to
// the crossing of the upper ones, as Fieller's does ("Some problems in interval estimation",
// Journal of the Royal Statistical Society B 16, 1954).
func (c *curve) from() stats.Interval {
	n := len(c.logs[0])
	iv := stats.Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), N: n}
	if n == 0 {
		return iv
	}
	var x, mean, low, high []float64
	for level := range c.levels {
		at := stats.Student(c.logs[level])
		x, mean, low, high = append(x, stats.Mean(c.r2[level])), append(mean, at.Point), append(low, at.Lo),
			append(high, at.Hi)
	}
	if iv.Point = crossing(x, mean); n > 1 {
		iv.Lo, iv.Hi = crossing(x, low), crossing(x, high)
	}
	return iv
}
