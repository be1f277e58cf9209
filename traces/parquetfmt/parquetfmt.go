// Package parquetfmt reads and writes tarry's own Parquet of jobs: one REQUIRED column per field of
// a job, times in whole microseconds, the workload's name and the origins of its fields in the
// metadata. Writing and reading back gives the same workload. The columns are listed in the package
// jobfile; the package jobcell has the columns that a file made by other tools may have, and how
// they are read.
package parquetfmt

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
	"tarry/traces/jobfile"
	"tarry/traces/jobtable"
)

// Format is the front end.
func Format() *jobtable.Format {
	return &jobtable.Format{Name: "parquet", Ends: []string{".parquet", ".parq", ".pq"},
		Parse: func(r *jobtable.Reading, name string, f *os.File) error { return parse(r, name, f) }}
}

// Read reads the file at path, or the files of a folder as one list.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return Format().Read(path, opt)
}

// Parse reads jobs from src; the name stands in errors, with the row in place of a
// line. Submits stay as they are written, but wall-clock times count from the first.
func Parse(name string, src jobfile.Source, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	r := jobtable.New(name, opt)
	if err := parse(r, name, src); err != nil {
		return nil, nil, err
	}
	return r.Finish("parquet")
}

func parse(r *jobtable.Reading, name string, src jobfile.Source) error {
	var stop error // an error that names its place already
	err := jobfile.ReadJobs(src, jobfile.Into{
		Match: func(columns, index []string) (*jobcell.Header, error) { return r.Match(columns, index...) },
		Head: func(head jobfile.Head) error {
			r.About(head.Name, head.Origins)
			return r.Limit(head.Rows)
		},
		Row: func(row int, cell func(int) jobcell.Value) error {
			stop = r.Row(tabular.NewRow(name, row, row, nil, nil), cell)
			return stop
		}})
	if err != nil && stop != nil && errors.Is(err, stop) {
		return stop
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Write writes the workload to out. It does not close out.
func Write(out io.Writer, w *sim.Workload) error { return jobfile.WriteJobs(out, w) }
