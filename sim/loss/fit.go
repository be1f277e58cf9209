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
	var room [2 * held]float64
	f := fitting{points: points, scale: points[n-1].K, least: points[0].Loss, most: points[0].Loss}
	if f.weights, f.scaled = room[:min(n, held)], room[held:held+min(n, held)]; n > held {
		f.weights, f.scaled = make([]float64, n), make([]float64, n)
	}
	for _, p := range points {
		f.least, f.most = math.Min(f.least, p.Loss), math.Max(f.most, p.Loss)
	}
	if !(f.most > f.least) || !(f.scale > points[0].K) {
		return Curve{}, false
	}
	f.weigh(fixmath.Exp(-math.Ln2 / half))
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
	weights            []float64 // of the points
	scaled             []float64 // progress of the points
}

// grid is how many floors are tried before the search is refined.
const grid = 24

// search looks for the floor: least - range x 10^x for x from -6 to 1, then by golden section about
// the best.
func (f *fitting) search(kind Kind) (Curve, float64) {
	at := func(x, bound float64) (Curve, float64) {
		return f.solve(kind, f.least-float64((f.most-f.least)*fixmath.Exp(float64(x*math.Ln10))), bound)
	}
	all := math.Inf(1)
	from, step, best, off := -6.0, 7.0/grid, -6.0, math.Inf(1)
	for i := range grid + 1 {
		x := from + float64(float64(i)*step)
		if _, e := at(x, off); e < off {
			best, off = x, e
		}
	}
	const golden = 0.6180339887498949
	lo, hi := best-step, best+step
	for range 40 {
		a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
		_, ea := at(a, all)
		if _, eb := at(b, ea); ea <= eb {
			hi = b
		} else {
			lo = a
		}
	}
	c, e := at((lo+hi)/2, all)
	if o, eo := at(best, e); eo < e {
		c, e = o, eo
	}
	return c, e
}

// held is how many points have room without an allocation.
const held = 64

// weigh sets the weight of each point, fade times the weight of the next, and its progress.
func (f *fitting) weigh(fade float64) {
	w := 1.0
	for i := len(f.points) - 1; i >= 0; i-- {
		f.weights[i], f.scaled[i] = w, f.points[i].K/f.scale
		w *= fade
	}
}

// sums are of the weights of points times powers of their progress, and of these times what is
// linear in the parameters.
type sums struct{ s0, s1, s2, s3, s4, t0, t1, t2 float64 }

// add adds a point.
func (s *sums) add(x, y, k float64) {
	s.s0 += x
	s.t0 += float64(x * y)
	x *= k
	s.s1 += x
	s.t1 += float64(x * y)
	x *= k
	s.s2 += x
	s.t2 += float64(x * y)
	x *= k
	s.s3 += x
	s.s4 += float64(x * k)
}

// solve is the best curve with a floor, and its weighted squared error, infinite where that is bound
// or more.
func (f *fitting) solve(kind Kind, floor, bound float64) (Curve, float64) {
	if kind == Exponential {
		return f.exponential(floor, bound)
	}
	var s sums
	scaled, weights := f.scaled[:len(f.points)], f.weights[:len(f.points)]
	for i := len(f.points) - 1; i >= 0; i-- {
		rest := f.points[i].Loss - floor
		g := float64(rest * rest) // an error of 1/rest is one of g in the loss
		s.add(float64(float64(weights[i]*g)*g), 1/rest, scaled[i])
	}
	best, off := Curve{}, math.Inf(1)
	for _, c := range [...]Curve{s.full(), pair(s.s0, s.s1, s.s2, s.t0, s.t1, false),
		pair(s.s0, s.s2, s.s4, s.t0, s.t2, true)} {
		c.A, c.B, c.D = c.A/f.scale/f.scale, c.B/f.scale, floor
		if !(c.A >= 0 && c.B >= 0 && c.C > 0) {
			continue // it does not fall
		}
		if e := f.sublinearError(&c, min(off, bound)); e < off {
			best, off = c, e
		}
	}
	return best, off
}

// exponential is solve for that family: the logarithm of what is above the floor is linear.
func (f *fitting) exponential(floor, bound float64) (Curve, float64) {
	var s0, s1, s2, t0, t1 float64
	scaled, weights := f.scaled[:len(f.points)], f.weights[:len(f.points)]
	for i := len(f.points) - 1; i >= 0; i-- {
		g, k := f.points[i].Loss-floor, scaled[i] // an error of the logarithm is one of g in the loss
		y, x := math.Log(g), float64(float64(weights[i]*g)*g)
		s0 += x
		t0 += float64(x * y)
		x *= k
		s1 += x
		t1 += float64(x * y)
		s2 += float64(x * k)
	}
	det := float64(s0*s2) - float64(s1*s1)
	b := (float64(s0*t1) - float64(s1*t0)) / det
	a := (t0 - float64(b*s1)) / s0
	c := Curve{Kind: Exponential, A: fixmath.Exp(a), B: -b / f.scale, D: floor}
	if !(c.A >= 0 && c.B >= 0) {
		return c, math.Inf(1) // it does not fall
	}
	e := 0.0
	for i := len(f.points) - 1; i >= 0; i-- {
		d := float64(c.A*fixmath.Exp(-float64(c.B*f.points[i].K))) + c.D - f.points[i].Loss
		if e += float64(float64(weights[i]*d) * d); e >= bound {
			return c, math.Inf(1) // errors of the other points do not lower it
		}
	}
	if math.IsNaN(e) {
		return c, math.Inf(1)
	}
	return c, e
}

// sublinearError is the weighted squared error of a curve, infinite where it is off or more, which
// a part of the points may show.
func (f *fitting) sublinearError(c *Curve, off float64) float64 {
	e, a, b, low, floor := 0.0, c.A, c.B, c.C, c.D
	weights := f.weights[:len(f.points)]
	for i := len(f.points) - 1; i >= 0; i-- {
		k := f.points[i].K
		d := 1/(float64(float64(float64(a*k)+b)*k)+low) + floor - f.points[i].Loss
		if e += float64(float64(weights[i]*d) * d); e >= off {
			return math.Inf(1)
		}
	}
	if math.IsNaN(e) {
		return math.Inf(1)
	}
	return e
}

// full solves the normal equations for A, B and C, by Cramer's rule.
func (s *sums) full() Curve {
	det := func(a, b, c, d, e, f, g, h, i float64) float64 {
		return float64(a*(float64(e*i)-float64(f*h))) - float64(b*(float64(d*i)-float64(f*g))) +
			float64(c*(float64(d*h)-float64(e*g)))
	}
	d := det(s.s0, s.s1, s.s2, s.s1, s.s2, s.s3, s.s2, s.s3, s.s4)
	return Curve{C: det(s.t0, s.s1, s.s2, s.t1, s.s2, s.s3, s.t2, s.s3, s.s4) / d,
		B: det(s.s0, s.t0, s.s2, s.s1, s.t1, s.s3, s.s2, s.t2, s.s4) / d,
		A: det(s.s0, s.s1, s.t0, s.s1, s.s2, s.t1, s.s2, s.s3, s.t2) / d}
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
