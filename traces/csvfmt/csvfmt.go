// Package csvfmt reads and writes tarry's own CSV of jobs.
//
// The header names the columns, in any order; jobcell.Fields lists them, and the package states how
// their cells are read. Each may be absent but submit_s, gpus, and one of work_s and duration_s.
//
// Times are written with up to six decimals and read exactly, so that writing a workload and
// reading it back gives the same jobs, but for names such as "None" that stand for a missing value.
// Only its Origins stay behind: tarry's Parquet keeps those too.
package csvfmt

import (
	"fmt"
	"io"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
)

// Columns lists the columns in the order in which Write gives them. It leaves worker_gpus,
// batch_size, gpu_mem_mib and gpu_util_frac out where no job has one.
func Columns() []string {
	var names []string
	for _, f := range jobcell.Fields() {
		if f.Name != "duration_s" && f.Name != "drawn_bits" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Read reads the file at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads jobs from r; the name stands in errors. Submits stay as they are written.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	if err := rows.Header(); err != nil {
		return nil, nil, err
	}
	h, err := jobcell.Match(rows.Columns())
	if err != nil {
		return nil, nil, fmt.Errorf("%s:1: %w", name, err)
	}
	c := intake.New(name, opt)
	h.Note(c)
	var jobs jobcell.Jobs
	if err := intake.Rows(rows, func(row *tabular.Row) error {
		if len(row.Faults()) > 0 {
			return c.Reject(row.Faults()...)
		}
		j, faults := jobs.Row(h, func(i int) jobcell.Value {
			return jobcell.Value{Kind: jobcell.Text,
				Text: row.Field(i)}
		})
		for _, f := range faults {
			row.Reject(f.Column, f.Want)
		}
		row.Local = jobs.Local()
		return c.Keep(row, j)
	}); err != nil {
		return nil, nil, err
	}
	return c.Finish("csv", jobs.Clock(), h.Origins()...)
}
