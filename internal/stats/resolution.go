package stats

import "math"

// Relative is the part of a number below which a difference is rounding; the resolution of ratios,
// and 100 times it the resolution of per cents. Times are whole microseconds, of which 1000 s hold
// 1e9, and sums of many of them are off by about 1e-12 of themselves.
const Relative = 1e-9

// Resolution is the difference below which means of such numbers are not distinguished: 1e-9 of the
// largest mean magnitude of the samples. Values that are not finite do not count; 0 where there is
// none.
func Resolution(samples ...[]float64) float64 {
	largest := 0.0
	for _, x := range samples {
		sum, n := 0.0, 0
		for _, v := range x {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				sum += math.Abs(v)
				n++
			}
		}
		if n > 0 {
			largest = max(largest, sum/float64(n))
		}
	}
	return float64(Relative * largest)
}

// Equal reports whether two numbers differ by no more than rounding does: by 1e-9 of the larger.
func Equal(a, b float64) bool {
	d := math.Abs(a - b)
	return a == b || !math.IsInf(d, 0) && d <= float64(Relative*max(math.Abs(a), math.Abs(b)))
}

// Sign reports what the interval shows of a difference: -1 when it lies below 0, 1 when it lies
// above, and 0 when it has 0 in it, touches 0 within the resolution (see Resolution; 100 * Relative
// for per cents), or is unknown. Only -1 and 1 are findings: whatever marks, counts or names
// "significant" differences asks Sign, or compares bounds that Snap has cleaned.
func (i Interval) Sign(resolution float64) int {
	switch {
	case i.Hi < -resolution:
		return -1
	case i.Lo > resolution:
		return 1
	}
	return 0
}

// Snap moves point and bounds that are within the resolution of a value (0 of differences, 1 of
// ratios) onto it, so that rounding noise is neither printed nor on one side of it.
func (i Interval) Snap(value, resolution float64) Interval {
	for _, v := range []*float64{&i.Point, &i.Lo, &i.Hi} {
		if math.Abs(*v-value) <= resolution {
			*v = value
		}
	}
	return i
}

// Difference is the mean of x minus base's with Estimate's interval, snapped to 0 (see Snap):
// its bounds can be compared with 0 as they are.
func Difference(base, x Grid) (Interval, error) {
	iv, err := Estimate([]Grid{base, x}, Plain, func(g []Grid) float64 { return Mean(g[1].Pool()) - Mean(g[0].Pool()) })
	return iv.Snap(0, Resolution(base.Pool(), x.Pool())), err
}

// Ratio is the mean of x over base's with Estimate's interval of the logarithm, snapped to 1.
func Ratio(x, base Grid) (Interval, error) {
	iv, err := Estimate([]Grid{x, base}, Log, func(g []Grid) float64 { return Mean(g[0].Pool()) / Mean(g[1].Pool()) })
	return iv.Snap(1, Relative), err
}

// Percent is Ratio as what it is above 1 (below 0: less), in per cent.
func Percent(x, base Grid) (Interval, error) {
	iv, err := Ratio(x, base)
	return iv.Percent(), err
}

// Percent turns a ratio into what it is above 1, in per cent.
func (i Interval) Percent() Interval {
	i.Point, i.Lo, i.Hi = float64(100*(i.Point-1)), float64(100*(i.Lo-1)), float64(100*(i.Hi-1))
	return i
}

// Below is the share of rows of a, rows of b and columns in which a has the smaller number; numbers
// that are Equal count half. Rows of a meet all rows of b: they were trained independently.
func Below(a, b Grid) float64 {
	wins, n := 0.0, 0.0
	for _, row := range a {
		for _, other := range b {
			for i, v := range row {
				switch {
				case Equal(v, other[i]):
					wins += 0.5
				case v < other[i]:
					wins++
				}
				n++
			}
		}
	}
	return wins / n
}

// Against compares x with base, policies of one or several seeds on the same windows: the mean of x
// minus base's, and the share of windows on which base has the smaller number, ties half, over pairs
// of seeds too. Intervals are Student's over windows (Paired) of one seed each, else over seeds and
// windows (Estimate).
func Against(base, x Grid) (diff, better Interval, err error) {
	if len(base) == 1 && len(x) == 1 {
		c, err := Paired(base[0], x[0])
		d := c.Diff
		d.Point, d.Lo, d.Hi = 0-d.Point, 0-d.Hi, 0-d.Lo // no difference is 0, not -0
		return d, c.Below, err
	}
	if diff, err = Difference(base, x); err != nil {
		return diff, better, err
	}
	better, err = Estimate([]Grid{base, x}, Share, func(g []Grid) float64 { return Below(g[0], g[1]) })
	return diff, better, err
}
