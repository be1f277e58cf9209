// Package jobtable reads tables of jobs: what the front ends of CSV, JSON lines, Arrow and Parquet
// share. A front end takes a file apart and gives the names of its columns to Reading.Match and the
// cells of each row to Reading.Row; the package jobcell has the rules by which cells become jobs.
//
// A folder of files is one table, in the order of their names, such as Spark, Dask and DuckDB write
// it. Names that begin with a dot or an underscore are not parts.
package jobtable

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
)

// Format is a front end.
type Format struct {
	// Name is the name of the format, Ends lists how names of its files end, the usual way first.
	Name string
	Ends []string
	// Parse reads one file into r; the name stands in errors.
	Parse func(r *Reading, name string, f *os.File) error
}

// Read reads the file at path, or the files of a folder as one list.
func (f *Format) Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	r := New(path, opt)
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = f.parts(r, path)
	} else {
		err = f.open(r, path)
	}
	if err != nil {
		return nil, nil, err
	}
	return r.Finish(f.Name)
}

// open reads one file.
func (f *Format) open(r *Reading, path string) error {
	file, err := tabular.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return f.Parse(r, path, file)
}

// parts reads the files of a folder.
func (f *Format) parts(r *Reading, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	parts := 0
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_"):
			continue
		case e.IsDir():
			return fmt.Errorf("%s: is a folder among the parts of %s, expected files alone: write the table without "+
				"partitions by column", path, dir)
		case !f.has(e.Name()):
			continue
		}
		if err := f.open(r, path); err != nil {
			return err
		}
		parts++
	}
	if parts == 0 {
		return fmt.Errorf("%s: a folder without files that end in %s", dir, strings.Join(f.Ends[:1], ", "))
	}
	return nil
}

// has reports whether a file of a folder is a part.
func (f *Format) has(name string) bool {
	if strings.HasPrefix(name, "part-") && !strings.Contains(strings.TrimPrefix(name, "part-"), ".") {
		return true
	}
	return slices.ContainsFunc(f.Ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// Reading gathers the jobs of one file, or of several parts.
type Reading struct {
	c       *intake.Collector
	opt     intake.Options
	jobs    jobcell.Jobs
	head    *jobcell.Header
	noted   jobcell.Header // what is noted of the columns of all files
	matched int
	rows    int64
	name    string
	origins []origin.Origin
}

// New starts the reading of the named source.
func New(name string, opt intake.Options) *Reading {
	return &Reading{c: intake.New(name, opt), opt: opt}
}

// Match ties the columns of the next file; index names columns that are row numbers.
func (r *Reading) Match(columns []string, index ...string) (*jobcell.Header, error) {
	h, err := jobcell.Match(columns, r.opt.Columns, index...)
	if err != nil {
		return nil, err
	}
	if r.head = h; r.matched == 0 {
		r.origins = append(r.origins, h.Origins()...)
	}
	r.matched++
	r.noted.Ignored = union(r.noted.Ignored, h.Ignored)
	r.noted.Unread = union(r.noted.Unread, h.Unread)
	r.noted.Bare = union(r.noted.Bare, h.Bare)
	return h, nil
}

// union adds names that are not there yet.
func union(to, names []string) []string {
	for _, name := range names {
		if !slices.Contains(to, name) {
			to = append(to, name)
		}
	}
	return to
}

// About states the name of the workload and where its fields come from, by its first file.
func (r *Reading) About(name string, origins []origin.Origin) {
	if r.matched == 1 && r.name == "" {
		r.name, r.origins = name, append(slices.Clone(origins), r.origins...)
	}
}

// Limit refuses more rows than the most jobs that are kept.
func (r *Reading) Limit(rows int64) error {
	limit := int64(cmp.Or(max(r.opt.MaxJobs, 0), intake.DefaultMaxJobs))
	if r.rows += rows; r.rows > limit {
		return fmt.Errorf("%d jobs, more than the limit of %d that keeps memory bounded: read a part of the trace or "+
			"raise the limit", r.rows, limit)
	}
	return nil
}

// Row keeps or rejects the job of a row, whose i-th cell is what cell gives. The error is not nil
// when reading must end; it names its place.
func (r *Reading) Row(row *tabular.Row, cell func(i int) jobcell.Value) error {
	if len(row.Faults()) > 0 {
		return r.c.Reject(row.Faults()...)
	}
	j, faults := r.jobs.Row(r.head, cell)
	row.Local = r.jobs.Local()
	if len(faults) == 0 {
		return r.c.Keep(row, j)
	}
	var columns, values []string
	for _, f := range faults {
		columns, values = append(columns, f.Column), append(values, f.Value)
	}
	wrong := tabular.NewRow(row.File, row.Line, row.Number, columns, values)
	wrong.Local = row.Local
	for _, f := range faults {
		wrong.Reject(f.Column, f.Want)
	}
	return r.c.Keep(wrong, j)
}

// Finish builds the workload.
func (r *Reading) Finish(format string) (*sim.Workload, *intake.Report, error) {
	r.noted.Note(r.c)
	r.jobs.Note(r.c)
	return r.c.Finish(cmp.Or(r.name, format), r.jobs.Clock(), r.origins...)
}
