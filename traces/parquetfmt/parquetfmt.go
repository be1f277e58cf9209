// Package parquetfmt reads and writes tarry's own Parquet of jobs: one REQUIRED
// column per field of a job, times in whole microseconds, the workload's name and
// the origins of its fields in the metadata. Writing and reading back gives the
// same workload. The columns are listed in the package jobfile; a file made by
// other tools needs id, submit_us, gpus and work_us and may lack the others.
package parquetfmt

import (
	"errors"
	"fmt"
	"io"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/jobfile"
	"tarry/traces/tabular"
)

// Read reads the file at path.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	f, err := tabular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return Parse(path, f, opt)
}

// Parse reads jobs from src; the name stands in errors, with the row in place of a
// line. Submits stay as they are written.
func Parse(name string, src jobfile.Source, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	c := intake.New(name, opt)
	head := jobfile.Head{}
	limit := opt.MaxJobs
	if limit <= 0 {
		limit = intake.DefaultMaxJobs
	}
	var stop error // an error that names its place already
	err := jobfile.ReadJobs(src, func(h jobfile.Head) error {
		head = h
		if h.Rows > int64(limit) {
			return fmt.Errorf("%d jobs, more than the limit of %d that keeps memory bounded: read a part of the trace or raise the limit", h.Rows, limit)
		}
		return nil
	}, func(row int, j *sim.Job, faults []jobfile.Fault) error {
		r := rowOf(name, row, faults)
		stop = c.Keep(r, *j)
		return stop
	})
	if err != nil {
		if stop != nil && errors.Is(err, stop) {
			return nil, nil, stop
		}
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if head.Name == "" {
		head.Name = "parquet"
	}
	return c.Finish(head.Name, intake.AsWritten, head.Origins...)
}

// rowOf is a row with what could not be read of it.
func rowOf(name string, row int, faults []jobfile.Fault) *tabular.Row {
	if len(faults) == 0 {
		return tabular.NewRow(name, row, row, nil, nil)
	}
	var columns, values []string
	for _, f := range faults {
		columns, values = append(columns, f.Column), append(values, f.Value)
	}
	r := tabular.NewRow(name, row, row, columns, values)
	for _, f := range faults {
		r.Reject(f.Column, f.Want)
	}
	return r
}

// Write writes the workload to out. It does not close out.
func Write(out io.Writer, w *sim.Workload) error { return jobfile.WriteJobs(out, w) }
