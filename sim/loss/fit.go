package loss

import (
	"math"

	"tarry/internal/fixmath"
)

// Point is a loss that a job has reported.
type Point struct{ K, Loss float64 }

// Fit is the curve of either family that is nearest to points, in order of progress, by least
// squares of the loss; the weight of a point halves with each half points that came after it. For
// each floor D the other parameters are linear in 1/(loss - D) or in its logarithm and are solved
// for; the floor is searched, below the least loss. A point at which nothing was lost since the one
// before counts as well. It needs three points, at different progress, and a loss that has fallen;
// else it reports false.
func Fit(points []Point, half float64) (Curve, bool) {
	n := len(points)
	if n < 3 {
		return Curve{}, false
	}
	f := fitting{points: points, scale: points[n-1].K, least: points[0].Loss, most: points[0].Loss}
	for _, p := range points {
		f.least, f.most = math.Min(f.least, p.Loss), math.Max(f.most, p.Loss)
	}
	if !(f.most > f.least) || !(f.scale > points[0].K) {
		return Curve{}, false
	}
	f.fade = fixmath.Exp(-math.Ln2 / half)
	best, off := Curve{}, math.Inf(1)
	for _, kind := range [...]Kind{Sublinear, Exponential} {
		if c, e := f.search(kind); e < off {
			best, off = c, e
		}
	}
	return best, !math.IsInf(off, 1)
}

// fitting is one fit: progress is scaled to the last point's.
type fitting struct {
	points             []Point
	scale, least, most float64
	fade               float64 // weight of a point over the next's
}

// grid is how many floors are tried before the search is refined.
const grid = 24

// search looks for the floor: least - range x 10^x for x from -6 to 1, then by golden section about
// the best.
func (f *fitting) search(kind Kind) (Curve, float64) {
	at := func(x float64) (Curve, float64) {
		return f.solve(kind, f.least-float64((f.most-f.least)*fixmath.Exp(float64(x*math.Ln10))))
	}
	from, step, best, off := -6.0, 7.0/grid, -6.0, math.Inf(1)
	for i := range grid + 1 {
		x := from + float64(float64(i)*step)
		if _, e := at(x); e < off {
			best, off = x, e
		}
	}
	const golden = 0.6180339887498949
	lo, hi := best-step, best+step
	for range 40 {
		a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
		_, ea := at(a)
		if _, eb := at(b); ea <= eb {
			hi = b
		} else {
			lo = a
		}
	}
	c, e := at((lo + hi) / 2)
	if o, eo := at(best); eo < e {
		c, e = o, eo
	}
	return c, e
}

// solve is the best curve with a floor, and its weighted squared error.
func (f *fitting) solve(kind Kind, floor float64) (Curve, float64) {
	var s [5]float64 // sums of weight x k^i
	var t [3]float64 // of weight x k^i x what is linear
	w := 1.0
	for i := len(f.points) - 1; i >= 0; i-- {
		p := f.points[i]
		rest, k := p.Loss-floor, p.K/f.scale
		y, g := 1/rest, float64(rest*rest) // an error of y is one of g in the loss
		if kind == Exponential {
			y, g = math.Log(rest), rest
		}
		x := float64(float64(w*g) * g)
		w *= f.fade
		for j := range s {
			s[j] += x
			if j < 3 {
				t[j] += float64(x * y)
			}
			x *= k
		}
	}
	if kind == Exponential {
		det := float64(s[0]*s[2]) - float64(s[1]*s[1])
		b := (float64(s[0]*t[1]) - float64(s[1]*t[0])) / det
		a := (t[0] - float64(b*s[1])) / s[0]
		c := Curve{Kind: kind, A: fixmath.Exp(a), B: -b / f.scale, D: floor}
		return c, f.error(c)
	}
	best, off := Curve{}, math.Inf(1)
	for _, c := range [...]Curve{full(&s, &t), pair(s[0], s[1], s[2], t[0], t[1], false),
		pair(s[0], s[2], s[4], t[0], t[2], true)} {
		c.A, c.B, c.D = c.A/f.scale/f.scale, c.B/f.scale, floor
		if e := f.error(c); e < off {
			best, off = c, e
		}
	}
	return best, off
}

// error is the weighted squared error of a curve, infinite for one that does not fall.
func (f *fitting) error(c Curve) float64 {
	if falls := c.A >= 0 && c.B >= 0 && (c.Kind == Exponential || c.C > 0); !falls {
		return math.Inf(1)
	}
	e, w := 0.0, 1.0
	for i := len(f.points) - 1; i >= 0; i-- {
		d := c.At(f.points[i].K) - f.points[i].Loss
		e += float64(float64(w*d) * d)
		w *= f.fade
	}
	if math.IsNaN(e) {
		return math.Inf(1)
	}
	return e
}

// full solves the normal equations for A, B and C, by Cramer's rule.
func full(s *[5]float64, t *[3]float64) Curve {
	det := func(a, b, c, d, e, f, g, h, i float64) float64 {
		return float64(a*(float64(e*i)-float64(f*h))) - float64(b*(float64(d*i)-float64(f*g))) +
			float64(c*(float64(d*h)-float64(e*g)))
	}
	d := det(s[0], s[1], s[2], s[1], s[2], s[3], s[2], s[3], s[4])
	return Curve{C: det(t[0], s[1], s[2], t[1], s[2], s[3], t[2], s[3], s[4]) / d,
		B: det(s[0], t[0], s[2], s[1], t[1], s[3], s[2], t[2], s[4]) / d,
		A: det(s[0], s[1], t[0], s[1], s[2], t[1], s[2], s[3], t[2]) / d}
}

// pair solves them without A, or with square without B.
func pair(s0, s1, s2, t0, t1 float64, square bool) Curve {
	det := float64(s0*s2) - float64(s1*s1)
	slope := (float64(s0*t1) - float64(s1*t0)) / det
	c := Curve{C: (t0 - float64(slope*s1)) / s0}
	if square {
		c.A = slope
	} else {
		c.B = slope
	}
	return c
}
