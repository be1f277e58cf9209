package neldermead

import (
	"testing"

	"gonum.org/v1/gonum/optimize"

	"tarry/agents/search"
	"tarry/agents/search/searchtest"
	"tarry/sim/param"
)

// On smooth functions it reaches what another implementation with the same coefficients reaches
// from the same simplex, in about as many evaluations.
func TestAgainstGonum(t *testing.T) {
	for _, f := range []searchtest.Function{searchtest.Sphere(2), searchtest.Ellipsoid(2, 100),
		searchtest.Rosenbrock(2), searchtest.Sphere(4), searchtest.Bowl()} {
		const good = 1e-9
		theirs := 0
		d := len(f.Space)
		simplex := [][]float64{middle(d)}
		for i := range d {
			x := middle(d)
			x[i] += 0.25
			simplex = append(simplex, x)
		}
		values := make([]float64, len(simplex))
		for i, x := range simplex {
			values[i] = f.AtCube(x)
		}
		least := 1.0
		p := optimize.Problem{Func: func(x []float64) float64 {
			v := f.AtCube(x)
			if least > good {
				theirs++
			}
			least = min(least, v-f.Least)
			return v
		}}
		s := &optimize.Settings{FuncEvaluations: 2000, Converger: optimize.NeverTerminate{}}
		if _, err := optimize.Minimize(p, middle(d), s, &optimize.NelderMead{InitialVertices: simplex,
			InitialValues: values}); err != nil {
			t.Fatal(err)
		}
		c := search.Config{Space: f.Space, Budget: 2000, Windows: 1}
		m, err := New(c, param.Parse("", ""))
		if err != nil {
			t.Fatal(err)
		}
		o, err := search.New("nelder-mead", c, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := searchtest.Drive(o, f.Cost); err != nil {
			t.Fatal(err)
		}
		ours := 0
		for i, k := range o.Known() {
			if k.Mean-f.Least <= good {
				ours = i
				break
			}
		}
		t.Logf("%s-%d: %d evaluations, gonum %d", f.Name, d, ours, theirs)
		if least > good || ours == 0 || ours > 2*theirs+10 {
			t.Errorf("%s-%d: below %g after %d evaluations (0 = never), gonum after %d, to %g", f.Name, d, good, ours,
				theirs, least)
		}
	}
}

func middle(d int) []float64 {
	x := make([]float64, d)
	for i := range x {
		x[i] = 0.5
	}
	return x
}
