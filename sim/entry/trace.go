package entry

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// TraceOptions states how to open a workload. The zero value drops and counts wrong rows.
type TraceOptions struct {
	// Strict makes wrong rows an error that reports the first 20 of them.
	Strict bool
	// MaxJobs bounds the jobs kept in memory; 0 = 10 million.
	MaxJobs int
	// Columns maps the columns of a table of jobs, as OWN=COLUMN,...; "" = by their names. Formats
	// with columns of their own refuse it.
	Columns string
	// Source gives the generator its streams; traces do not use it.
	Source rng.Source
	// GPUs of the cluster that the jobs are for, to which the generator's load refers unless gpus=
	// is given; 0 = no cluster, and the generator's own. Traces do not use it.
	GPUs int
	// Repair asks a reader to mend rows; nil = it does not.
	Repair *account.Repair
}

// Report is the account of what was read, kept and dropped.
type Report = account.Report

// Trace is one format of the catalogue.
type Trace struct {
	// Name is the word before the colon.
	Name string
	// Doc is one line on what the path is.
	Doc string
	// Paper is where the data comes from; "" for our own formats.
	Paper string
	// Generated states that jobs are drawn rather than read: what stands after the colon is no
	// path, and each replicate of a run has jobs of its own.
	Generated bool
	// Table lists how files of a table of jobs with tarry's own columns end, which Columns may map; nil
	// = the format has other columns.
	Table []string
	// Fits reports whether a file or folder that is named without a format may be of this one; nil
	// = it has to be named.
	Fits func(h *Head) bool
	// Open reads what stands after the colon.
	Open func(path string, opt TraceOptions) (*sim.Workload, *Report, error)
	// Stream gives the jobs of Open one by one, from the first at each call of open, for runs that
	// need not hold them; nil = they are held. Either all jobs have a model or none.
	Stream func(path string, opt TraceOptions) (open func() sim.Stream, report *Report, err error)
}

// Traces lists formats in the order in which they are shown. catalogue/traces has what tarry ships;
// a program may append its own.
type Traces []Trace

// Find gives the format of FORMAT:PATH, with what stands after the colon; false when there is no
// colon or no such format.
func (c Traces) Find(spec string) (f Trace, path string, ok bool) {
	name, path, colon := strings.Cut(spec, ":")
	for _, f := range c {
		if colon && f.Name == name {
			return f, path, true
		}
	}
	return Trace{}, "", false
}

// Open opens FORMAT:PATH or synth:NAME, or a file whose format is recognised. The report is not nil
// when the error is.
func (c Traces) Open(spec string, opt TraceOptions) (*sim.Workload, *Report, error) {
	name, path, found := strings.Cut(spec, ":")
	if !found {
		return c.openUnnamed(spec, opt)
	}
	names := make([]string, 0, 10)
	for _, f := range c {
		if f.Name != name {
			names = append(names, f.Name)
			continue
		}
		if path == "" {
			return nil, nil, fmt.Errorf("trace %q: nothing after %q, expected %s", spec, name, f.Doc)
		}
		if err := f.maps(opt.Columns); err != nil {
			return nil, nil, fmt.Errorf("trace %q: %w", spec, err)
		}
		w, report, err := f.Open(path, opt)
		if f.Paper != "" && errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; docs/reference/data-origins.md states where to get %s traces and where to put them", err, name)
		}
		return w, report, err
	}
	return nil, nil, fmt.Errorf("trace %q: unknown format %q, expected one of %s%s", spec, name,
		strings.Join(names, ", "), param.Hint(name, names))
}

// openUnnamed opens a file that is named without its format.
func (c Traces) openUnnamed(path string, opt TraceOptions) (*sim.Workload, *Report, error) {
	f, err := c.recognise(path, opt.Columns != "")
	if err != nil {
		return nil, nil, err
	}
	w, report, err := f.Open(path, opt)
	if err == nil {
		report.Notes = append(report.Notes, fmt.Sprintf("%s is read as %s, by its name and first lines", path, f.Name))
	}
	return w, report, err
}

// maps reports that columns are mapped which the format has of its own.
func (f *Trace) maps(columns string) error {
	if columns == "" || f.Table != nil {
		return nil
	}
	return fmt.Errorf("trace_columns is %s, expected none: it maps the columns of tables such as csv, and %s has "+
		"columns of its own", columns, f.Name)
}
