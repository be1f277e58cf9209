package results

import (
	"reflect"
	"strings"
	"testing"
)

// Every column states what it is, in which unit, and what a missing value stands for where its type
// has one that is used.
func TestEveryColumnIsDescribed(t *testing.T) {
	for _, row := range []Row{Trial{}, Eval{}, Job{}, Interval{}, Sample{}, Prediction{}, Measure{}, Curve{}, Tune{},
		Timing{}} {
		cols, errs := appendColumns(nil, reflect.TypeOf(row), nil)
		if errs != nil || !isTable(row.Table()) {
			t.Fatal(errs)
		}
		for _, c := range cols {
			at := row.Table() + "." + c.name
			missing, _, _ := strings.Cut(c.none, ":")
			want := map[reflect.Kind]string{reflect.Float64: "NaN", reflect.String: "empty"}[c.kind]
			if want == "" {
				want = "-1"
			}
			switch {
			case c.doc == "" || c.unit == "":
				t.Errorf("%s has no meaning or no unit", at)
			case c.none != "" && missing != want:
				t.Errorf("%s: missing is %q, expected %s: reason", at, c.none, want)
			case c.later && c.none == "":
				t.Errorf("%s is a later column and does not say what a missing value stands for", at)
			case strings.ContainsAny(c.doc+c.none, "|\n") || len(c.doc) > 200:
				t.Errorf("%s is described by %q, expected a line of a table", at, c.doc)
			}
			unit, timed := strings.CutSuffix(c.name, "_s")
			if timed && c.unit != "s" && !strings.HasSuffix(unit, "_per") {
				t.Errorf("%s is in %q, its name says seconds", at, c.unit)
			}
		}
	}
}
