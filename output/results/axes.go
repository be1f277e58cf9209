//go:build !js

package results

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// axisPrefix begins the names of columns that hold the axes of a sweep.
const axisPrefix = "axis_"

// axisColumns gives the columns of axes.
func axisColumns(axes []Axis) []column {
	var out []column
	seen := map[string]bool{}
	for _, a := range axes {
		name := strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
				return c
			}
			return '_'
		}, a.Name)
		for n := 2; seen[strings.ToLower(name)]; n++ {
			if next := fmt.Sprintf("%s_%d", name, n); !seen[strings.ToLower(next)] {
				name = next
			}
		}
		seen[strings.ToLower(name)] = true
		kind := axisKind(a.Values)
		unit := map[reflect.Kind]string{reflect.Int64: "integer", reflect.Float64: "number",
			reflect.String: "text"}[kind]
		out = append(out, column{name: axisPrefix + name, kind: kind, unit: unit, doc: "value of axis " + a.Name +
			" in the sweep's cell"})
	}
	return out
}

// axisKind is the type of a column with these values.
func axisKind(values []string) reflect.Kind {
	kind := reflect.Int64
	seen := map[float64]bool{}
	for _, text := range values {
		_, err := strconv.ParseInt(text, 10, 64)
		v, ok := decimal(text)
		whole := strings.Trim(text, "+-0123456789") == ""
		if !ok || seen[v] || err != nil && whole { // a whole number of more than 64 bits would be rounded
			return reflect.String
		}
		if seen[v] = true; err != nil {
			kind = reflect.Float64
		}
	}
	return kind
}

// decimal reads a finite decimal number.
func decimal(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && !strings.ContainsAny(text, "xX_")
}

// axisRun are rows that share the values of the axes.
type axisRun struct {
	rows   int
	values []string
}

// At gives the values of the target's axes, in their order, for the rows that are appended next.
func (w *Writer[T]) At(values ...string) error {
	if len(values) != len(w.axes) {
		return w.wrap(fmt.Errorf("%d values of axes, expected %d", len(values), len(w.axes)))
	}
	for i, v := range values {
		if _, ok := decimal(v); !ok && w.axes[i].kind != reflect.String {
			return w.wrap(fmt.Errorf("column %q has %q, expected a number as the other values", w.axes[i].name, v))
		}
	}
	w.runs = append(w.runs, axisRun{0, values})
	return nil
}

// cut takes the values of the next rows.
func (w *Writer[T]) cut(rows int) ([]axisRun, error) {
	var out []axisRun
	for rows > 0 {
		if len(w.runs) == 0 {
			return nil, fmt.Errorf("%d rows without values of the axes", rows)
		}
		n := min(rows, w.runs[0].rows)
		if n > 0 {
			out = append(out, axisRun{n, w.runs[0].values})
		}
		w.runs[0].rows -= n
		rows -= n
		if w.runs[0].rows == 0 && len(w.runs) > 1 {
			w.runs = w.runs[1:]
		}
	}
	return out, nil
}

// repeatAxes gives the columns of the axes the values of the rows.
func repeatAxes(to []buffer, axes []column, runs []axisRun) error {
	for k, v := range to {
		for _, r := range runs {
			if err := v.repeat(r.values[k], r.rows); err != nil {
				return fmt.Errorf("column %q: %w", axes[k].name, err)
			}
		}
	}
	return nil
}
