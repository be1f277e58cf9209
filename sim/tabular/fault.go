package tabular

import (
	"errors"
	"fmt"
	"strconv"
)

// Fault is one thing wrong with one row.
type Fault struct {
	// File and Line state where; Line counts from 1.
	File string
	Line int
	// Column is the name of the column; "" when the row as a whole is wrong.
	Column string
	// Value is what was found, as text.
	Value string
	// Want is what was expected, or what is wrong when Column is "".
	Want string
}

// Error gives file:line: column "c" is "v", expected w.
func (f *Fault) Error() string {
	if f.Column == "" {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Want)
	}
	return fmt.Sprintf("%s:%d: column %q is %s, expected %s", f.File, f.Line, f.Column, shorten(f.Value), f.Want)
}

// Reason is the fault without its place and value: rows are counted by it.
func (f *Fault) Reason() string {
	if f.Column == "" {
		return f.Want
	}
	return fmt.Sprintf("column %q: expected %s", f.Column, f.Want)
}

// Join makes one error of several faults; nil when there is none.
func Join(faults []*Fault) error {
	errs := make([]error, len(faults))
	for i, f := range faults {
		errs[i] = f
	}
	return errors.Join(errs...)
}

// shorten quotes a value and cuts it when it would fill the screen.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
