package jobcell

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/traces/intake"
)

// Header ties the columns of a table to fields of jobs.
type Header struct {
	columns []column
	// Ignored lists columns that are row numbers of a data frame.
	Ignored []string
	// ByDuration states that duration_s is in place of work_s.
	ByDuration bool

	numbered bool // there is no column id
}

// column is one column of a table.
type column struct {
	name   string
	micros bool   // a number in it is in microseconds
	set    setter // nil where it is not read
}

// isRowNumber reports whether data frames give the name to a column of row numbers: "", index,
// Unnamed: 0, level_0, __index_level_0__.
func isRowNumber(name string) bool {
	stem := strings.TrimRight(strings.TrimSuffix(name, "__"), "0123456789")
	return name == "" || name == "index" || name != stem && (stem == "Unnamed: " || stem == "level_" ||
		stem == "__index_level_")
}

// Match ties columns to fields by their names. index names more columns that are row numbers, where
// no field has the name. Unknown columns, columns that are there twice and missing ones are an
// error, which is the caller's to put behind a place.
func Match(columns []string, index ...string) (*Header, error) {
	h := &Header{numbered: true}
	fields := Fields()
	var errs []error
	at := map[string]string{} // field -> column
	for _, name := range columns {
		f, micros := find(fields, name)
		c := column{name: name, micros: micros}
		switch {
		case slices.ContainsFunc(h.columns, func(c column) bool { return c.name == name }):
			errs = append(errs, fmt.Errorf("column %q appears twice", name))
		case f == nil && (isRowNumber(name) || slices.Contains(index, name)):
			h.Ignored = append(h.Ignored, name)
		case f == nil:
			errs = append(errs, unknown(name, fields))
		case at[f.Name] != "":
			errs = append(errs, fmt.Errorf("columns %q and %q are both given, expected one of them", at[f.Name], name))
		default:
			at[f.Name], c.set = name, f.set
		}
		h.columns = append(h.columns, c)
	}
	for _, f := range fields {
		if f.Needed && at[f.Name] == "" {
			errs = append(errs, fmt.Errorf("column %q is missing, expected at least submit_s, gpus and work_s or "+
				"duration_s; the columns are %s",
				f.Name, shorten(strings.Join(columns, ","))))
		}
	}
	h.numbered, h.ByDuration = at["id"] == "", at["duration_s"] != ""
	if h.ByDuration == (at["work_s"] != "") {
		errs = append(errs, errors.New("expected exactly one of the columns \"work_s\" and \"duration_s\""))
	}
	return h, oneLine(errs)
}

// oneLine joins errors, so that a caller can put one place before all of them.
func oneLine(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}

func find(fields []Field, name string) (f *Field, micros bool) {
	stem, micros := strings.CutSuffix(name, "_us")
	for i := range fields {
		f := &fields[i]
		if f.Name == name || micros && f.times() && f.Name == stem+"_s" {
			return f, micros
		}
	}
	return nil, false
}

func unknown(name string, fields []Field) error {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.Name
	}
	return fmt.Errorf("unknown column %q, expected some of %s (times also in _us)%s", name, names(),
		param.Hint(name, known))
}

func shorten(s string) string {
	const most = 200
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// Reads reports whether the i-th column is a field of jobs.
func (h *Header) Reads(i int) bool { return h.columns[i].set != nil }

// Note puts a remark on the columns that are not read into a report.
func (h *Header) Note(c *intake.Collector) {
	for _, name := range h.Ignored {
		c.Note("column %q is taken as the row numbers of a data frame and not read", name)
	}
}
