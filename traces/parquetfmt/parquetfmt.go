// Package parquetfmt reads and writes tarry's own Parquet of jobs: one REQUIRED column per field of
// a job, times in whole microseconds, the workload's name and the origins of its fields in the
// metadata. Writing and reading back gives the same workload. The columns are listed in the package
// jobfile; the package jobcell has the columns that a file made by other tools may have, and how
// they are read.
package parquetfmt

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
	"tarry/traces/jobfile"
)

// Read reads the file at path, or the files of a folder, such as Spark, Dask and DuckDB write, as
// one list.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return readParts(path, opt)
	}
	f, err := tabular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return Parse(path, f, opt)
}

// readParts reads the files of a folder in the order of their names. Names that begin with a dot or
// an underscore are not parts.
func readParts(dir string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	r := newReading(dir, opt)
	parts := 0
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_"):
			continue
		case e.IsDir():
			return nil, nil, fmt.Errorf("%s: is a folder among the parts of %s, expected files alone: write the "+
				"table without partitions by column", path, dir)
		case !strings.HasSuffix(e.Name(), ".parquet") && !strings.HasSuffix(e.Name(), ".parq") &&
			!strings.HasPrefix(e.Name(), "part-"):
			continue
		}
		if err := r.part(path); err != nil {
			return nil, nil, err
		}
		parts++
	}
	if parts == 0 {
		return nil, nil, fmt.Errorf("%s: a folder without files that end in .parquet", dir)
	}
	return r.finish()
}

func (r *reading) part(path string) error {
	f, err := tabular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.file(path, f)
}

// Parse reads jobs from src; the name stands in errors, with the row in place of a
// line. Submits stay as they are written, but wall-clock times count from the first.
func Parse(name string, src jobfile.Source, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	r := newReading(name, opt)
	if err := r.file(name, src); err != nil {
		return nil, nil, err
	}
	return r.finish()
}

// reading gathers the jobs of one file, or of several parts.
type reading struct {
	c           *intake.Collector
	limit, rows int64
	jobs        jobcell.Jobs
	name        string
	origins     []origin.Origin
}

func newReading(name string, opt intake.Options) *reading {
	return &reading{c: intake.New(name, opt), limit: int64(cmp.Or(max(opt.MaxJobs, 0), intake.DefaultMaxJobs))}
}

func (r *reading) file(name string, src jobfile.Source) error {
	var stop error // an error that names its place already
	first := r.rows == 0
	err := jobfile.ReadJobs(src, &r.jobs, func(head jobfile.Head, columns *jobcell.Header) error {
		if r.rows += head.Rows; r.rows > r.limit {
			return fmt.Errorf("%d jobs, more than the limit of %d that keeps memory bounded: read a part of the "+
				"trace or raise the limit", r.rows, r.limit)
		}
		if first {
			r.name, r.origins = head.Name, append(head.Origins, columns.Origins()...)
			columns.Note(r.c)
		}
		return nil
	}, func(row int, j *sim.Job, faults []jobcell.Fault) error {
		stop = r.c.Keep(rowOf(name, row, faults), *j)
		return stop
	})
	if err != nil && stop != nil && errors.Is(err, stop) {
		return stop
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (r *reading) finish() (*sim.Workload, *intake.Report, error) {
	return r.c.Finish(cmp.Or(r.name, "parquet"), r.jobs.Clock(), r.origins...)
}

// rowOf is a row with what could not be read of it.
func rowOf(name string, row int, faults []jobcell.Fault) *tabular.Row {
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
