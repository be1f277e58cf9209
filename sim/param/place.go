package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Place is where a setting was written.
type Place struct {
	// File is the path of a file; of an argument it is what errors call it, such as "policy dally"
	// or "--set".
	File string
	// Line and Column count from 1. Line 0 = an argument, whose Column counts bytes of its text;
	// Column 0 = not known.
	Line, Column int
}

// String is FILE:LINE:COLUMN, as much of it as is known.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Fault is one thing that is wrong with settings. It is part of what Set.Err joins.
type Fault struct {
	Place
	// Err states what is wrong: the field, its value and what was expected.
	Err error
}

// Error is the text after its place, if that is known.
func (f *Fault) Error() string {
	if at := f.Place.String(); at != "" {
		return at + ": " + f.Err.Error()
	}
	return f.Err.Error()
}

// Unwrap gives Err.
func (f *Fault) Unwrap() error { return f.Err }

// MaxFaults bounds what is reported of one text: thousands of lines do not help.
const MaxFaults = 100

// document is a text that is being read, with all that is wrong in it.
type document struct {
	file string
	// places, unless nil, say where each line comes from: the settings were gathered elsewhere.
	places []string
	// argument states that the text is one of key=value,...; whole that what is wrong concerns it
	// as a whole.
	argument bool
	// noun is what a key is called in errors: key, field, setting.
	noun   string
	faults []*Fault
	sets   []*Set
}

// place names a line and a column of the text.
func (d *document) place(line, column int) Place {
	if d.places != nil {
		if i := line - 1; i >= 0 && i < len(d.places) && d.places[i] != "" {
			return Place{File: d.places[i]}
		}
		return Place{File: d.file}
	}
	return Place{d.file, line, column}
}

func (d *document) add(p Place, format string, args ...any) {
	if len(d.faults) <= MaxFaults {
		d.faults = append(d.faults, &Fault{p, fmt.Errorf(format, args...)})
	}
}

// err joins the faults in the order of their lines.
func (d *document) err() error {
	all := slices.Clone(d.faults)
	for _, s := range d.sets {
		if len(all) > MaxFaults {
			break
		}
		all = s.unknown(all)
	}
	if len(all) > MaxFaults {
		all = append(all[:MaxFaults:MaxFaults], &Fault{Place{d.file, math.MaxInt, 0},
			fmt.Errorf("more than %d faults, the others are not listed", MaxFaults)})
	}
	slices.SortStableFunc(all, func(a, b *Fault) int { return a.Line - b.Line })
	var errs []error
	for _, f := range all {
		if f.Line == math.MaxInt {
			f.Line = 0
		}
		errs = append(errs, f)
	}
	return errors.Join(errs...)
}
