package tracetest

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
)

// asTable holds a reader of CSV with a header against what programs make of a file that goes through
// them, and against missing values in every column.
func asTable(t *testing.T, parse intake.Parse, sample string) {
	rows, err := csv.NewReader(strings.NewReader(sample)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := parse("sample", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range forms(rows) {
		got, _, err := parse("sample", strings.NewReader(text), intake.Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got.Hash() != want.Hash() {
			t.Errorf("%s: the jobs differ from the plain sample's", name)
		}
	}
	for at, column := range rows[0] {
		missing(t, parse, rows, at, column)
	}
}

// forms gives the same table in other forms.
func forms(rows [][]string) map[string]string {
	out := map[string]string{}
	for _, sep := range []string{",", ";", "\t", "|"} {
		out["quoted, between "+sep] = table(rows, `"`, sep)
	}
	var turned, wide, upper [][]string
	for i, row := range rows {
		r := slices.Clone(row)
		slices.Reverse(r)
		turned = append(turned, r)
		wide = append(wide, append([]string{fmt.Sprint(i - 1)}, append(slices.Clone(row), "note")...))
	}
	wide[0][0] = ""
	for i, row := range rows {
		r := slices.Clone(row)
		for k := range r {
			if i == 0 {
				r[k] = strings.ToUpper(r[k])
			}
		}
		upper = append(upper, r)
	}
	out["columns in another order"] = table(turned, "", ",")
	out["row numbers and another column"] = table(wide, "", ",")
	out["header in upper case"] = table(upper, "", ",")
	out["header in upper case, between tabs"] = table(upper, "", "\t")
	lines := strings.Split(strings.TrimSpace(table(rows, `"`, ",")), "\n")
	out["a comma behind rows"] = lines[0] + "\n" + strings.Join(lines[1:], ",\n") + ",\n"
	out["a comma behind every line"] = strings.Join(lines, ",\n") + ",\n"
	out["blanks around fields"] = table(rows, " ", ",")
	return out
}

// table writes rows; around stands before and behind each field.
func table(rows [][]string, around, sep string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, field := range row {
			if i > 0 {
				b.WriteString(sep)
			}
			if around == "" && strings.ContainsAny(field, ",\"") {
				field = `"` + field + `"`
			}
			b.WriteString(around + field + around)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// missing puts words for a missing value into every cell of a column: a reader finds what it finds
// for an empty cell, and no job has such a word as a name.
func missing(t *testing.T, parse intake.Parse, rows [][]string, at int, column string) {
	t.Helper()
	with := func(word string) (*sim.Workload, string) {
		changed := [][]string{rows[0]}
		for _, row := range rows[1:] {
			r := slices.Clone(row)
			r[at] = word
			changed = append(changed, r)
		}
		w, report, err := parse("sample", strings.NewReader(table(changed, "", ",")), intake.Options{})
		if err != nil {
			return nil, "error"
		}
		return w, fmt.Sprint(w.Hash(), report.Kept, report.Wrong())
	}
	_, empty := with("")
	for _, word := range []string{"NaN", "nan", "None", "null", "NULL", "<NA>", "NaT", "-1", "-1.0"} {
		w, got := with(word)
		if number := strings.HasPrefix(word, "-1"); !number && got != empty {
			t.Errorf("column %q: %s gives other jobs than an empty cell", column, word)
		}
		if w == nil {
			continue
		}
		for i := range w.Jobs {
			j := &w.Jobs[i]
			if slices.Contains([]string{j.ID, j.Model, j.User, j.Group, j.VC, j.GPUType, j.State}, word) {
				t.Errorf("column %q: %s becomes a name of job %+v", column, word, *j)
			}
		}
	}
}
