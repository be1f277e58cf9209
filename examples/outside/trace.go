package main

import (
	"io"
	"strconv"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces"
	"tarry/traces/intake"
)

// plainFormat shows a trace format: a line per job with submit time (s), GPUs and run time (s)
// between blanks; '#' begins a comment. jobs.txt is an example. tarry/traces/intake keeps the
// account of rows that are dropped, and reads compressed files.
func plainFormat() traces.Format {
	return traces.Format{Name: "plain", Doc: "three numbers a line: submit time (s), GPUs, run time (s)",
		Open: func(path string, opt traces.Options) (*sim.Workload, *traces.Report, error) {
			return intake.File(path, intake.Options{Strict: opt.Strict, MaxJobs: opt.MaxJobs}, parsePlain)
		}}
}

// parsePlain reads jobs from r; the name stands in errors.
func parsePlain(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.Blanks, rows.Comment = true, "#"
	rows.SetColumns([]string{"submit", "gpus", "run"})
	c := intake.New(name, opt)
	if err := c.Jobs(rows, plainJob); err != nil {
		return nil, nil, err
	}
	return c.Finish("plain", intake.FromFirst,
		origin.Origin{Field: "id", Source: "number of the row"},
		origin.Origin{Field: "work", Source: "run time x GPUs: the run is taken to be without communication cost"})
}

// plainJob is the job of a row. The getters note what is wrong; intake then rejects the row with
// file, line, column and value.
func plainJob(row *tabular.Row) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{ID: strconv.Itoa(row.Number), GPUs: int32(row.Count("gpus", 1, intake.MaxGPUs)),
		Submit: sim.Time(row.Micros("submit"))}
	j.Work = intake.Work(row.Positive("run"), j.GPUs)
	return j
}
