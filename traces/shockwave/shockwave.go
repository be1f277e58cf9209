// Package shockwave reads the traces of Shockwave (Zheng et al., "Shockwave: fair and efficient
// cluster scheduling for dynamic adaptation in machine learning", NSDI 2023), in two layouts.
//
// CSV with a header, columns in any order:
//
//	job              name of the job: its line number, from 0, by which profiles name it
//	job_type         model and initial batch size, such as "LM (batch size 10)": the job's model, and its BatchSize
//	total_steps      training steps to do at the initial batch size, of all GPUs together
//	scale_factor     GPUs of the gang
//	mode             how the batch size changes: static, accordion or gns; the job's virtual cluster (VC), so that tables can be grouped by it
//	arrival_s        submit, seconds on the trace's own clock
//	priority_weight  the job's priority, a whole number; may be absent or empty = 0, none
//	slo              deadline = arrival + slo x duration; may be absent, empty or not above 0 = none
//	duration_s       that duration; may be absent or empty: the run on the GPUs asked for at full speed
//	step_s           seconds of a step on one V100; may be absent or empty: nominal.go has it for Shockwave's own 21 types
//
// Other columns are not read. Shockwave's own .trace has no header and twelve tab-separated fields:
//
//	job_type command working_directory num_steps_arg needs_data_dir total_steps scale_factor mode priority_weight SLO duration arrival_time
//
// Its jobs are numbered from 0 in the order of the file.
//
// # Work
//
// Work is total_steps times the time of a step of the initial batch on one V100 (Job.IterS), a
// whole number of microseconds. An epoch of a job is the same amount of work whatever its batch:
// ceil(samples / initial batch) such steps. How fast it passes is known to the speed model
// shockwave, whose profile has the batch size of each epoch; it multiplies by the same IterS, so
// that the rounding has no effect. Under other speed models the batch stays as it is at first.
package shockwave

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"

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
		err = rows.Header("job", "job_type", "total_steps", "scale_factor", "mode", "arrival_s")
	}
	if err != nil {
		return nil, nil, err
	}
	steps, err := intake.StepTimes("shockwave")
	if err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := c.Jobs(rows, func(row *tabular.Row) sim.Job { return job(row, numbered, steps) }); err != nil {
		return nil, nil, err
	}
	return c.Finish("shockwave", intake.AsWritten,
		origin.Origin{Field: "work", Source: "total_steps x the time of a step of the initial batch on one V100, " +
			"rounded to a microsecond (Shockwave's measurements), or step_s; a model without either has steps of 0.1 s"},
		origin.Origin{Field: "vc", Source: "how the batch size changes: static, accordion or gns"},
		origin.Origin{Field: "deadline", Source: "arrival + slo x duration; without duration_s the duration is of " +
			"the work on the GPUs asked for"})
}

// lines names the fields of Shockwave's own layout.
func lines(name string, rows *tabular.Reader, fields int) error {
	all := []string{"job_type", "command", "working_directory", "num_steps_arg", "needs_data_dir", "total_steps",
		"scale_factor", "mode", "priority_weight", "slo", "duration_s", "arrival_s"}
	if fields != len(all) {
		return fmt.Errorf("%s:1: %d tab-separated fields, expected twelve (job_type, command, working_directory, "+
			"num_steps_arg, needs_data_dir, total_steps, "+
			"scale_factor, mode, priority_weight, SLO, duration, arrival_time), or CSV with a header", name, fields)
	}
	rows.Tabs = true
	rows.SetColumns(all)
	return nil
}

func job(row *tabular.Row, numbered bool, steps map[string]int64) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name("job"), Model: row.Name("job_type"), VC: row.Text("mode"),
		GPUs:       int32(row.Count("scale_factor", 1, intake.MaxGPUs)),
		Iterations: row.Count("total_steps", 1, 1<<53),
		Submit:     sim.Time(row.Micros("arrival_s")),
	}
	if numbered {
		j.ID = strconv.Itoa(row.Number - 1)
	}
	switch j.VC {
	case "static", "accordion", "gns":
	default:
		row.Reject("mode", "static, accordion or gns")
	}
	if row.Known("priority_weight") {
		j.Priority = int32(row.Count("priority_weight", 0, math.MaxInt32-1))
	}
	if j.BatchSize = Batch(j.Model); j.BatchSize == 0 {
		row.Reject("job_type", "a model and its batch size, such as LM (batch size 10)")
	}
	if intake.Steps(row, &j, steps) {
		intake.SLO(row, &j)
	}
	return j
}

// batchSize ends a job's type.
var batchSize = regexp.MustCompile(`^.+ \(batch size ([1-9][0-9]{0,8})\)$`)

// Batch is the batch size in a job's type, samples of all GPUs together; 0 = it names none.
func Batch(jobType string) int32 {
	m := batchSize.FindStringSubmatch(jobType)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) // nine digits at most
	return int32(n)
}
