package tabular

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Row is one row with named columns. Its getters never fail: they note a fault,
// give zero and let the next getter work, so that one pass finds every fault of a
// row. Ask Faults at the end. The strings of a row share one piece of memory: clone
// what outlives it.
type Row struct {
	// File and Line state where the row stands; Number counts data rows from 1.
	File         string
	Line, Number int

	// Local states that a wall-clock time of the row was written without a zone.
	Local bool

	names, fields []string
	faults        []*Fault
}

// NewRow makes a row of values that did not come from a delimited file.
func NewRow(file string, line, number int, names, fields []string) *Row {
	return &Row{File: file, Line: line, Number: number, names: names, fields: fields}
}

// Faults lists what is wrong with the row so far.
func (r *Row) Faults() []*Fault { return r.faults }

// Reject notes that the column does not hold what it should.
func (r *Row) Reject(column, want string) {
	r.faults = append(r.faults, &Fault{r.File, r.Line, column, r.raw(column), want})
}

// Rejectf notes that the row as a whole is wrong.
func (r *Row) Rejectf(format string, args ...any) {
	r.faults = append(r.faults, &Fault{File: r.File, Line: r.Line, Want: fmt.Sprintf(format, args...)})
}

// Place is where a value stands: FILE:LINE, and its column where the row has it as it is.
func (r *Row) Place(value string) string {
	at := fmt.Sprintf("%s:%d", r.File, r.Line)
	for i, n := range r.names {
		if value != "" && i < len(r.fields) && strings.TrimSpace(r.fields[i]) == value {
			return fmt.Sprintf("%s: column %q", at, n)
		}
	}
	return at
}

func (r *Row) raw(column string) string {
	for i, n := range r.names {
		if n == column && i < len(r.fields) {
			return strings.TrimSpace(r.fields[i])
		}
	}
	return ""
}

// Text gives the value without surrounding blanks; "" when the column is absent.
func (r *Row) Text(column string) string {
	s := r.raw(column)
	if !utf8.ValidString(s) {
		r.Reject(column, "UTF-8 text")
		return ""
	}
	return s
}

// Name gives a name: "" for what IsUnknown names and for -1, which programs write for a missing
// number, and 17 for the 17.0 that frames make of it.
func (r *Row) Name(column string) string {
	if !r.Known(column) {
		return ""
	}
	if s := PlainName(r.Text(column)); s != "-1" {
		return s
	}
	return ""
}

// Known reports whether the column holds a value: absent columns and what IsUnknown names are not
// values.
func (r *Row) Known(column string) bool { return !IsUnknown(r.raw(column)) }

// Field gives the i-th value without surrounding blanks; "" where the row has fewer.
func (r *Row) Field(i int) string {
	if i >= len(r.fields) {
		return ""
	}
	return strings.TrimSpace(r.fields[i])
}

// maxMicros bounds the seconds of a trace (about 31 700 years), far from overflow.
const maxMicros = int64(1e12) * 1e6

// Micros reads seconds >= 0 exactly, in microseconds: decimals are not rounded
// through a float.
func (r *Row) Micros(column string) int64 {
	s := r.raw(column)
	v, ok := ParseMicros(s)
	if !ok || v < 0 || v > maxMicros {
		r.Reject(column, "seconds >= 0")
		return 0
	}
	return v
}

// Positive is Micros for values that must be larger than zero.
func (r *Row) Positive(column string) int64 {
	s := r.raw(column)
	v, ok := ParseMicros(s)
	if !ok || v <= 0 || v > maxMicros {
		r.Reject(column, "seconds > 0")
		return 0
	}
	return v
}

// Clock reads a wall-clock time such as 2017-10-09 07:01:55 in microseconds since 1970; see
// ParseClock.
func (r *Row) Clock(column string) int64 {
	v, ok := ParseClock(r.raw(column))
	if !ok {
		r.Reject(column, "a time YYYY-MM-DD hh:mm:ss")
	}
	r.Local = r.Local || ok && !Zoned(r.raw(column))
	return v
}

// Count reads a whole number from lo to hi; see ParseWhole.
func (r *Row) Count(column string, lo, hi int64) int64 {
	v, ok := ParseWhole(r.raw(column))
	if !ok || v < lo || v > hi {
		r.Reject(column, span("a whole number", lo, hi))
		return 0
	}
	return v
}

func span(what string, lo, hi int64) string {
	if hi == math.MaxInt64 || hi >= math.MaxInt32 {
		return fmt.Sprintf("%s >= %d", what, lo)
	}
	return fmt.Sprintf("%s from %d to %d", what, lo, hi)
}

// Float reads a finite number >= lo, or > lo when open.
func (r *Row) Float(column string, lo float64, open bool) float64 {
	v, ok := ParseFinite(r.raw(column))
	if !ok || v < lo || open && v == lo {
		sign := ">="
		if open {
			sign = ">"
		}
		r.Reject(column, fmt.Sprintf("a number %s %g", sign, lo))
		return 0
	}
	return v
}

// Adopt takes over the faults of a row that is a part of this one.
func (r *Row) Adopt(part *Row) { r.faults = append(r.faults, part.faults...) }
