// Package gavel reads the traces of Gavel (Narayanan et al., "Heterogeneity-aware cluster
// scheduling policies for deep learning workloads", OSDI 2020), in two layouts.
//
// CSV with a header, columns in any order:
//
//	job_id           name of the job
//	job_type         model and batch size, such as "ResNet-50 (batch size 64)": the job's model, the key of the speed model gavel
//	scale_factor     GPUs of the gang
//	total_steps      training steps to do, of all GPUs together
//	arrival_s        submit, seconds on the trace's own clock
//	priority_weight  the job's priority, a whole number (Gavel's weight); may be absent or empty = 0, none
//	slo              deadline = arrival + slo x duration; may be absent, empty or not above 0 = none
//	duration_s       that duration; may be absent or empty: the run on the GPUs asked for at full speed
//	step_s           seconds of a step on one reference GPU; may be absent or empty: nominal.go has it for Gavel's own 26 types
//
// Other columns are not read. Gavel's own .trace has no header; over the years it has had six, seven,
// nine and ten tab-separated fields:
//
//	job_type command num_steps_arg total_steps arrival_time scale_factor
//	job_type command num_steps_arg needs_data_dir total_steps arrival_time scale_factor
//	job_type command num_steps_arg needs_data_dir total_steps scale_factor priority_weight SLO arrival_time
//	job_type command working_directory num_steps_arg needs_data_dir total_steps scale_factor priority_weight SLO arrival_time
//
// Its jobs are numbered from 0 in the order of the file, and an SLO below 0 is none. The lists of six
// and seven fields that were made from Philly have jobs with a scale_factor of 0, which Gavel leaves
// out, and so does this reader. The twelve fields of Shockwave's are refused.
//
// # Work
//
// Work is total_steps times the time of a step on one reference GPU (Job.IterS), a whole number of
// microseconds, so that nothing is rounded. The reference is a V100; its steps are rounded to a
// microsecond. How fast a job really is on which GPU is measured, and known to the speed model
// gavel, which multiplies its steps per second by the same IterS: the rounding then has no effect.
// Under other speed models work is what the job takes on one V100.
package gavel

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the trace at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a trace from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows, numbered := tabular.NewReader(name, in), false
	rows.Optional = []string{"priority_weight", "slo", "duration_s", "step_s"}
	if fields := intake.TabFields(in, "job_type"); fields > 1 {
		numbered, err = true, lines(name, rows, fields)
	} else {
		err = rows.Header("job_id", "job_type", "scale_factor", "total_steps", "arrival_s")
	}
	if err != nil {
		return nil, nil, err
	}
	steps, err := intake.StepTimes("gavel")
	if err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	old := numbered && !slices.Contains(rows.Columns(), "slo")
	if err := intake.Rows(rows, func(row *tabular.Row) error {
		if n, ok := tabular.ParseWhole(row.Text("scale_factor")); ok && n == 0 && old && len(row.Faults()) == 0 {
			return c.Skip(row, "the job asks for no GPU: its scale_factor is 0")
		}
		return c.Keep(row, job(row, numbered, steps))
	}); err != nil {
		return nil, nil, err
	}
	return c.Finish("gavel", intake.AsWritten,
		origin.Origin{Field: "work", Source: "total_steps x the time of a step on one V100, rounded to a microsecond " +
			"(Gavel's measurements), or step_s; a model without either has steps of 0.1 s"},
		origin.Origin{Field: "deadline", Source: "arrival + slo x duration; without duration_s the duration is of " +
			"the work on the GPUs asked for"})
}

// layouts has the fields that Gavel's own files have had.
func layouts() []string {
	return []string{
		"job_type command num_steps_arg total_steps arrival_s scale_factor",
		"job_type command num_steps_arg needs_data_dir total_steps arrival_s scale_factor",
		"job_type command num_steps_arg needs_data_dir total_steps scale_factor priority_weight slo arrival_s",
		"job_type command working_directory num_steps_arg needs_data_dir total_steps scale_factor priority_weight slo " +
			"arrival_s",
	}
}

// lines names the fields of Gavel's own layout.
func lines(name string, rows *tabular.Reader, fields int) error {
	for _, l := range layouts() {
		if columns := strings.Fields(l); len(columns) == fields {
			rows.Tabs = true
			rows.SetColumns(columns)
			return nil
		}
	}
	return fmt.Errorf("%s:1: %d tab-separated fields, expected six (job_type, command, num_steps_arg, total_steps, "+
		"arrival_time, scale_factor), seven (the same with needs_data_dir before total_steps), nine or ten (job_type, "+
		"command, perhaps working_directory, num_steps_arg, needs_data_dir, total_steps, scale_factor, "+
		"priority_weight, SLO, arrival_time), or CSV with a header", name, fields)
}

func job(row *tabular.Row, numbered bool, steps map[string]int64) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name("job_id"), Model: row.Name("job_type"),
		GPUs:       int32(row.Count("scale_factor", 1, intake.MaxGPUs)),
		Iterations: row.Count("total_steps", 1, 1<<53),
		Submit:     sim.Time(row.Micros("arrival_s")),
	}
	if numbered {
		j.ID = strconv.Itoa(row.Number - 1)
	}
	if row.Known("priority_weight") {
		j.Priority = int32(row.Count("priority_weight", 0, math.MaxInt32-1))
	}
	// Others write files of seven fields in another order; this one shows it.
	if row.Known("needs_data_dir") {
		row.Count("needs_data_dir", 0, 1)
	}
	if j.Model == "" {
		row.Reject("job_type", "a model and its batch size")
	}
	if intake.Steps(row, &j, steps) {
		intake.SLO(row, &j)
	}
	return j
}
