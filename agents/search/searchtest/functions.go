// Package searchtest is what optimisers of static parameters are tested with: functions whose
// minima are known, and a suite that all of them pass.
package searchtest

import (
	"math"

	"tarry/agents/search"
	"tarry/internal/fixmath"
)

// Function is a test function with a published minimum.
type Function struct {
	Name string
	// Space has its usual bounds.
	Space search.Space
	// Value takes numbers of the space, not coordinates of the cube.
	Value func(x []float64) float64
	// Least is the value of the minimum, At one place where it is reached.
	Least float64
	At    []float64
}

// AtCube evaluates the function at a point of the unit cube.
func (f *Function) AtCube(u []float64) float64 {
	x := make([]float64, len(u))
	for i, p := range f.Space {
		x[i] = p.Value(u[i])
	}
	return f.Value(x)
}

// box is d real parameters with the same bounds.
func box(d int, lo, hi float64) search.Space {
	s := make(search.Space, d)
	for i := range s {
		s[i] = search.Param{Name: "x" + string(rune('a'+i)), Lo: lo, Hi: hi}
	}
	return s
}

func fill(d int, v float64) []float64 {
	x := make([]float64, d)
	for i := range x {
		x[i] = v
	}
	return x
}

// Sphere is the sum of squares about 0.3 in every coordinate, on [-1, 1]^d: the minimum is not in
// the middle.
func Sphere(d int) Function {
	return Function{"sphere", box(d, -1, 1), func(x []float64) float64 {
		s := 0.0
		for _, v := range x {
			s += (v - 0.3) * (v - 0.3)
		}
		return s
	}, 0, fill(d, 0.3)}
}

// Ellipsoid is the sphere with axes whose curvature grows to condition.
func Ellipsoid(d int, condition float64) Function {
	return Function{"ellipsoid", box(d, -1, 1), func(x []float64) float64 {
		s := 0.0
		for i, v := range x {
			s += fixmath.Pow(condition, float64(i)/float64(max(1, len(x)-1))) * (v - 0.3) * (v - 0.3)
		}
		return s
	}, 0, fill(d, 0.3)}
}

// Rosenbrock is the bent valley on [-2.048, 2.048]^d.
func Rosenbrock(d int) Function {
	return Function{"rosenbrock", box(d, -2.048, 2.048), func(x []float64) float64 {
		s := 0.0
		for i := range len(x) - 1 {
			a, b := x[i+1]-x[i]*x[i], 1-x[i]
			s += 100*a*a + b*b
		}
		return s
	}, 0, fill(d, 1)}
}

// Branin has three equal minima: Dixon and Szegoe, Towards Global Optimisation 2, 1978.
func Branin() Function {
	return Function{"branin", search.Space{{Name: "xa", Lo: -5, Hi: 10}, {Name: "xb", Lo: 0, Hi: 15}},
		func(x []float64) float64 {
			a := x[1] - 5.1/(4*math.Pi*math.Pi)*x[0]*x[0] + 5/math.Pi*x[0] - 6
			return a*a + 10*(1-1/(8*math.Pi))*math.Cos(x[0]) + 10
		}, 0.39788735772973816, []float64{math.Pi, 2.275}}
}

// Hartmann3 has four minima in three dimensions: same source.
func Hartmann3() Function {
	a := [][]float64{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}}
	p := [][]float64{{0.3689, 0.1170, 0.2673}, {0.4699, 0.4387, 0.7470}, {0.1091, 0.8732, 0.5547},
		{0.0381, 0.5743, 0.8828}}
	return Function{"hartmann3", box(3, 0, 1), hartmann(a, p), -3.86278, []float64{0.114614, 0.555649, 0.852547}}
}

// Hartmann6 has six minima in six dimensions: same source.
func Hartmann6() Function {
	a := [][]float64{{10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8},
		{17, 8, 0.05, 10, 0.1, 14}}
	p := [][]float64{{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886}, {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
		{0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650}, {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}}
	return Function{"hartmann6", box(6, 0, 1), hartmann(a, p), -3.32237,
		[]float64{0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573}}
}

func hartmann(a, p [][]float64) func([]float64) float64 {
	return func(x []float64) float64 {
		s := 0.0
		for i, alpha := range []float64{1, 1.2, 3, 3.2} {
			e := 0.0
			for j := range x {
				e += a[i][j] * (x[j] - p[i][j]) * (x[j] - p[i][j])
			}
			s -= alpha * fixmath.Exp(-e)
		}
		return s
	}
}

// Bowl is a smooth response to two timers on logarithmic scales, best at 600 s and 3000 s, with
// timers that help each other.
func Bowl() Function {
	s := search.Space{{Name: "t_rack", Kind: search.Log, Lo: 1, Hi: 3600},
		{Name: "t_net", Kind: search.Log, Lo: 1, Hi: 14400}}
	return Function{"bowl", s, func(x []float64) float64 {
		a, b := math.Log(x[0]/600), math.Log(x[1]/3000)
		return a*a + 0.5*b*b + 0.5*a*b
	}, 0, []float64{600, 3000}}
}
