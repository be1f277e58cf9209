// Package csvfmt reads and writes tarry's own CSV of jobs.
//
// The header names the columns, in any order; columns.Fields lists them, and the package states how
// their cells are read. Each may be absent but submit_s, gpus, and one of work_s and duration_s.
// Fields are between commas, or else between tabs, semicolons or bars.
//
// Times are written with up to six decimals and read exactly, so that writing a workload and
// reading it back gives the same jobs, but for names such as "None" that stand for a missing value.
// Only its Origins stay behind: tarry's Parquet keeps those too.
package csvfmt

import (
	"fmt"
	"io"
	"os"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/columns"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
	"tarry/traces/jobtable"
)

// Columns lists the columns in the order in which Write gives them. It leaves worker_gpus,
// batch_size, gpu_mem_mib and gpu_util_frac out where no job has one.
func Columns() []string {
	var names []string
	for _, f := range columns.Fields() {
		if f.Name != "duration_s" && f.Name != "drawn_bits" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Format is the front end.
func Format() *jobtable.Format {
	return &jobtable.Format{Name: "csv", Ends: []string{".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"},
		Parse: func(r *jobtable.Reading, name string, f *os.File) error { return parse(r, name, f) }}
}

// Read reads the file at path, plain or compressed, or the files of a folder as one list.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return Format().Read(path, opt)
}

// Parse reads jobs from in; the name stands in errors. Submits stay as they are written.
func Parse(name string, in io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	r := jobtable.New(name, opt)
	if err := parse(r, name, in); err != nil {
		return nil, nil, err
	}
	return r.Finish("csv")
}

func parse(r *jobtable.Reading, name string, from io.Reader) error {
	in, err := tabular.Decode(name, from)
	if err != nil {
		return err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	if err := rows.Header(); err != nil {
		return err
	}
	if _, err := r.Match(rows.Columns()); err != nil {
		return fmt.Errorf("%s:1: %w", name, err)
	}
	return intake.Rows(rows, func(row *tabular.Row) error {
		return r.Row(row, func(i int) jobcell.Value { return jobcell.Value{Kind: jobcell.Text, Text: row.Field(i)} })
	})
}
