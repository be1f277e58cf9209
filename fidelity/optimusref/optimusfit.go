// Package optimusref compares Optimus' fits of speed. A folder holds tables whose names end in
//
//	fit.csv            case, mode (async or sync), coefficients (separated by spaces), residual_norm
//	observations.csv   case, batch, ps, workers, steps_per_s
//
// The residual is to agree to 1e-9, relative, the coefficients to 1e-6 where no column depends
// on others.
package optimusref

import (
	"fmt"
	"math"

	"tarry/baselines/fit"
	"tarry/fidelity/reference"
)

const (
	speedFits         = "fit.csv"
	speedObservations = "observations.csv"
	residualTol       = 1e-9
	coefficientTol    = 1e-6
)

// speedForms are the modes by name.
func speedForm(mode string) (fit.Form, error) {
	for _, f := range []fit.Form{fit.Asynchronous, fit.Synchronous} {
		if f.String() == mode {
			return f, nil
		}
	}
	return 0, fmt.Errorf("mode %q, expected %v or %v", mode, fit.Asynchronous, fit.Synchronous)
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	const columns = "case mode coefficients residual_norm"
	return reference.BySets(reference.Sets{Name: "optimus-fit", Unit: "relative, of a residual", Key: speedFits,
		Knows: func(s *reference.Set) bool { return s.Has(speedFits, columns) },
		Compare: func(s *reference.Set) error {
			r, err := s.Rows(speedFits, columns)
			if err != nil {
				return err
			}
			seen, err := s.Rows(speedObservations, "case batch ps workers steps_per_s")
			if err != nil {
				return err
			}
			for row := range r.Cells {
				off, err := speedOff(r, row, seen)
				s.Value("fits", s.File(speedFits), row, off, residualTol, err)
			}
			return nil
		}})
}

// speedOff fits the case of a row and gives how far the residual is off.
func speedOff(r *reference.Rows, row int, seen *reference.Rows) (float64, error) {
	form, err := speedForm(r.Text(row, "mode"))
	if err != nil {
		return 0, err
	}
	var design [][]float64
	var y []float64
	for i := range seen.Cells {
		if seen.Text(i, "case") != r.Text(row, "case") {
			continue
		}
		l := reference.Line{Rows: seen, Row: i}
		design = append(design, form.Terms(nil, l.Count("workers"), l.Count("ps"), l.Number("batch")))
		y = append(y, 1/l.Number("steps_per_s"))
		if l.Err != nil {
			return 0, l.Err
		}
	}
	l := reference.Line{Rows: r, Row: row}
	coef, residual := fit.NonNegative(design, y)
	off := reference.Apart(residual, l.Number("residual_norm"))
	want, err := reference.Numbers(r.Text(row, "coefficients"))
	switch {
	case l.Err != nil:
		return off, l.Err
	case err != nil:
		return off, err
	case len(want) != len(coef):
		return off, fmt.Errorf("%d coefficients, expected %d", len(coef), len(want))
	}
	for i, c := range coef {
		if d := max(c-want[i], want[i]-c); !(d <= coefficientTol) && independent(design) {
			return off, fmt.Errorf("coefficients %v, there %v", coef, want)
		}
	}
	return off, nil
}

// independent reports whether no column of a design depends on others: by what is left of each, a
// part of its length, along the others' directions.
func independent(design [][]float64) bool {
	if len(design) == 0 || len(design) < len(design[0]) {
		return false
	}
	var base [][]float64
	for j := range design[0] {
		v := make([]float64, len(design))
		for i, row := range design {
			v[i] = row[j]
		}
		long := math.Sqrt(product(v, v))
		for _, b := range append(base, base...) { // twice, against rounding
			s := product(b, v)
			for i := range v {
				v[i] -= float64(s * b[i])
			}
		}
		left := math.Sqrt(product(v, v))
		if !(left > 1e-10*long) {
			return false
		}
		for i := range v {
			v[i] /= left
		}
		base = append(base, v)
	}
	return true
}

// product is the sum of products of two vectors.
func product(a, b []float64) (s float64) {
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return s
}
