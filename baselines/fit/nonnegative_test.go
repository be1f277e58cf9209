package fit

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/sim/rng"
)

func TestNonNegativeByHand(t *testing.T) {
	for _, c := range []struct {
		design   [][]float64
		y, coef  []float64
		residual float64
	}{
		{[][]float64{{1, 0}, {0, 1}}, []float64{3, 4}, []float64{3, 4}, 0},
		{[][]float64{{1, 0}, {0, 1}}, []float64{3, -4}, []float64{3, 0}, 4},
		{[][]float64{{1}, {1}}, []float64{1, 3}, []float64{2}, math.Sqrt2},
		{[][]float64{{1, 2}, {1, 2}}, []float64{-1, -1}, []float64{0, 0}, math.Sqrt2},
		{[][]float64{{1, 0}, {1, 0}}, []float64{1, 1}, []float64{1, 0}, 0},
		// a line that falls has no slope
		{[][]float64{{0, 1}, {1, 1}, {2, 1}}, []float64{3, 2, 1}, []float64{0, 2}, math.Sqrt2},
		{[][]float64{{}}, []float64{3}, nil, 3},
	} {
		coef, residual := NonNegative(c.design, c.y)
		if len(coef) != len(c.coef) || math.Abs(residual-c.residual) > 1e-12 {
			t.Errorf("%v to %v: %v with %v", c.design, c.y, coef, residual)
			continue
		}
		for i, x := range coef {
			if math.Abs(x-c.coef[i]) > 1e-12 {
				t.Errorf("%v to %v: %v with %v", c.design, c.y, coef, residual)
			}
		}
	}
	for _, c := range []struct {
		design [][]float64
		y      []float64
	}{{nil, nil}, {[][]float64{{1}}, nil}, {[][]float64{{1}, {1, 2}}, []float64{1, 2}},
		{[][]float64{{math.NaN()}}, []float64{1}}, {[][]float64{{1}}, []float64{math.Inf(1)}}} {
		if coef, residual := NonNegative(c.design, c.y); coef != nil || !math.IsNaN(residual) {
			t.Errorf("%v to %v: %v with %v", c.design, c.y, coef, residual)
		}
	}
}

// The conditions of Karush, Kuhn and Tucker: no coefficient below 0, no column that would help,
// none in use that is not used up. With columns that depend on one another and others 1e4 times
// longer.
func TestNonNegativeIsOptimal(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("nnls")
	for n := range 2000 {
		rows, columns := 1+r.IntN(12), 1+r.IntN(6)
		design, y := make([][]float64, rows), make([]float64, rows)
		for i := range design {
			y[i] = r.NormFloat64()
			design[i] = make([]float64, columns)
			for j := range design[i] {
				design[i][j] = (r.NormFloat64() + 0.5) * float64([]int{1, 100, 10000}[j%3])
			}
			if columns > 2 && n%3 == 0 {
				design[i][2] = design[i][0] + 2*design[i][1]
			}
		}
		coef, residual := NonNegative(design, y)
		sum := 0.0
		rest := make([]float64, rows)
		for i := range rest {
			rest[i] = y[i] - dot(design[i], coef)
			sum += rest[i] * rest[i]
		}
		if math.Abs(math.Sqrt(sum)-residual) > 1e-9*(1+norm(y)) {
			t.Fatalf("case %d: residual %v, truly %v", n, residual, math.Sqrt(sum))
		}
		for j, x := range coef {
			slope, length := 0.0, 0.0
			for i := range rest {
				slope += design[i][j] * rest[i]
				length += design[i][j] * design[i][j]
			}
			slope /= math.Sqrt(length) * norm(y)
			if x < 0 || slope > 1e-9 || x > 0 && slope < -1e-9 {
				t.Fatalf("case %d: coefficient %d is %v with slope %v: %v to %v", n, j, x, slope, design, y)
			}
		}
	}
}

// The stored fits of Optimus' forms: residuals to 1e-9, coefficients to 1e-6.
func TestSharedSpeeds(t *testing.T) {
	obs, r := shared(t, "optimus-fit", "observations.csv"), shared(t, "optimus-fit", "fit.csv")
	for i, row := range r.rows {
		form := map[string]Form{"async": Asynchronous, "sync": Synchronous}[row[r.at["mode"]]]
		var design [][]float64
		var y []float64
		for k, o := range obs.rows {
			if o[obs.at["case"]] == row[0] {
				design = append(design, form.Terms(nil, int(obs.number(k, "workers")), int(obs.number(k, "ps")),
					obs.number(k, "batch")))
				y = append(y, 1/obs.number(k, "steps_per_s"))
			}
		}
		coef, residual := NonNegative(design, y)
		if want := r.number(i, "residual_norm"); !(math.Abs(residual/want-1) <= 1e-9) {
			t.Errorf("case %s: residual %v, there %v", row[0], residual, want)
		}
		for j, word := range strings.Fields(row[r.at["coefficients"]]) {
			if want, err := strconv.ParseFloat(word, 64); err != nil || !(math.Abs(coef[j]-want) <= 1e-6) {
				t.Errorf("case %s: coefficients %v, there %s", row[0], coef, row[r.at["coefficients"]])
			}
		}
	}
}

// Fits one after the other in one memory equal fits in memory of their own, and allocate nothing.
func TestSquaresAgain(t *testing.T) {
	r := rng.Source{Seed: 2}.Stream("nnls")
	var q Squares
	for n := range 300 {
		rows, columns := 1+r.IntN(9), r.IntN(6)
		design, y := make([][]float64, rows), make([]float64, rows)
		for i := range design {
			y[i] = r.NormFloat64()
			for range columns {
				design[i] = append(design[i], r.NormFloat64())
			}
		}
		want, far := NonNegative(design, y)
		if got, residual := q.NonNegative(design, y); !slices.Equal(got, want) || residual != far {
			t.Fatalf("case %d: %v with %v, alone %v with %v", n, got, residual, want, far)
		}
		if a := testing.AllocsPerRun(2, func() { q.NonNegative(design, y) }); a != 0 {
			t.Fatalf("case %d: %v allocations", n, a)
		}
	}
}

func TestForms(t *testing.T) {
	for _, f := range []Form{Asynchronous, Synchronous, AllReduce} {
		if got := f.Terms(nil, 2, 4, 8); len(got) == 0 || strings.Contains(f.String(), "(") {
			t.Errorf("%v: %v", f, got)
		}
	}
	if Form(9).String() != "Form(9)" {
		t.Error(Form(9))
	}
}

// Optimus' fit of a job that slows down: a coefficient falls to the least number above 0, and its
// product with another to 0, so that no column left by the product alone. The fit ends.
func TestColumnThatBindsLeaves(t *testing.T) {
	counts := []float64{1, 2, 4, 5, 7, 10, 25, 35, 40, 49, 64}
	y := []float64{7.63507364291177, 0.545328787724816, 0.4400873981766818, 0.47742869955829736, 0.5438165606299848,
		0.47043064459092804, 3.7147884086770158, 4.200801121307971, 4.238309486393465, 4.000922477432607,
		4.18356540524266}
	design := make([][]float64, len(counts))
	for i, n := range counts {
		design[i] = []float64{1 / n, 1, n}
	}
	coef, _ := NonNegative(design, y)
	if coef[0] <= 0 || coef[1] != 0 || coef[2] <= 0 {
		t.Errorf("coefficients are %v, expected the second alone to be 0", coef)
	}
}
