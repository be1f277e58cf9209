// Package elasticflow reads the traces of ElasticFlow (Gu et al., "ElasticFlow: an elastic
// serverless training platform for distributed deep learning", ASPLOS 2023): CSV with a header,
// columns in any order.
//
//	job_id                        name of the job
//	model_name, batch_size        model and global batch size: together the job's model, such as "bert (batch size 64)"
//	submit_time, submission_time  submit, seconds on the trace's own clock: one of the two
//	iteration, num_iteration      training iterations to do at that batch size: one of the two
//	ddl, deadline                 deadline on the same clock: one of the two may be there; empty = none
//	num_gpu                       GPUs that schedulers of fixed size give
//	duration                      seconds of the run on num_gpu GPUs
//	best_effort                   1 = the job has no deadline; may be absent or empty
//	step_s                        seconds of an iteration on one GPU; may be absent or empty: nominal.go has it for the authors' own 26
//
// Other columns are not read.
//
// # Work and range
//
// Work is the iterations times the time of one on one GPU (Job.IterS), a whole number of
// microseconds. How fast a job is on how many GPUs is known to the speed model elasticflow, which
// multiplies its iterations per second by the same IterS: the rounding then has no effect. Under
// other speed models work is what the job takes on one A100 (T4 for the models of the authors' T4
// tables). A model that is not known takes duration x num_gpu.
//
// A job may run on 1 to 64 GPUs, the counts of the authors' tables, or up to num_gpu if that is
// more. Which of these help is decided by the speed model.
package elasticflow

import (
	"fmt"
	"io"
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

// Model is how a job's model and batch size are named together.
func Model(name string, batch int64) string {
	return name + " (batch size " + strconv.FormatInt(batch, 10) + ")"
}

// columns are the names that a file has for what goes by two.
type columns struct{ submit, iterations, deadline string }

// mostGPUs is the largest count of the authors' tables.
const mostGPUs = 64

// Parse reads a trace from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.Optional = []string{"submit_time", "submission_time", "iteration", "num_iteration", "ddl", "deadline",
		"best_effort", "step_s"}
	if err := rows.Header("job_id", "model_name", "batch_size", "num_gpu", "duration"); err != nil {
		return nil, nil, err
	}
	c, err := named(name, rows.Columns())
	if err != nil {
		return nil, nil, err
	}
	steps, err := intake.StepTimes("elasticflow")
	if err != nil {
		return nil, nil, err
	}
	keep := intake.New(name, opt)
	if err := keep.Jobs(rows, func(row *tabular.Row) sim.Job { return job(row, c, steps) }); err != nil {
		return nil, nil, err
	}
	return keep.Finish("elasticflow", intake.FromFirst,
		origin.Origin{Field: "work", Source: "iterations x the time of one on one GPU, rounded to a microsecond (the " +
			"authors' measurements), or step_s; for other models duration x num_gpu"},
		origin.Origin{Field: "gpus", Source: "1 to 64 GPUs, the counts of the authors' tables, or up to num_gpu"})
}

// named finds the columns that go by two names.
func named(name string, have []string) (c columns, err error) {
	one := func(a, b string, must bool) string {
		x, y := slices.Contains(have, a), slices.Contains(have, b)
		switch {
		case x && y:
			err = fmt.Errorf("%s:1: the header has the columns %q and %q, expected one of them", name, a, b)
		case x:
			return a
		case y:
			return b
		case must:
			err = fmt.Errorf("%s:1: the header %q has neither %q nor %q, expected one of them", name,
				strings.Join(have, ","), a, b)
		}
		return ""
	}
	c = columns{one("submit_time", "submission_time", true), "", ""}
	if err == nil {
		c.iterations = one("iteration", "num_iteration", true)
	}
	if err == nil {
		c.deadline = one("ddl", "deadline", false)
	}
	return c, err
}

func job(row *tabular.Row, c columns, steps map[string]int64) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name("job_id"), Model: Model(row.Name("model_name"), row.Count("batch_size", 1, 1<<31-1)),
		GPUs:       int32(row.Count("num_gpu", 1, intake.MaxGPUs)),
		Iterations: row.Count(c.iterations, 1, 1<<53),
		Submit:     sim.Time(row.Micros(c.submit)),
	}
	if row.Name("model_name") == "" {
		row.Reject("model_name", "a model")
	}
	j.MinGPUs, j.MaxGPUs = 1, max(mostGPUs, j.GPUs)
	work(row, &j, steps)
	best := row.Known("best_effort") && row.Count("best_effort", 0, 1) == 1
	if c.deadline == "" || best || !row.Known(c.deadline) || len(row.Faults()) > 0 {
		return j
	}
	if j.Deadline = sim.Time(row.Positive(c.deadline)); j.Deadline <= j.Submit && len(row.Faults()) == 0 {
		row.Reject(c.deadline, fmt.Sprintf("a deadline after the submit at %v", j.Submit))
	}
	return j
}

// work is the iterations' work, or the duration's where the time of one is not known.
func work(row *tabular.Row, j *sim.Job, steps map[string]int64) {
	run := row.Positive("duration")
	step, known := steps[j.Model]
	if row.Known("step_s") {
		step, known = row.Positive("step_s"), true
	}
	switch {
	case len(row.Faults()) > 0:
	case !known:
		if j.Work = intake.Work(run, j.GPUs); j.Iterations > int64(j.Work) {
			row.Rejectf("%d iterations in %v on %d GPUs, expected at most one in a microsecond", j.Iterations,
				sim.Time(run), j.GPUs)
		}
	case step > 0 && j.Iterations > intake.MaxWork/step:
		row.Rejectf("the job has %d iterations of %g s, expected at most 1e12 s of work", j.Iterations,
			float64(step)/1e6)
	default:
		j.Work, j.IterS = sim.Time(j.Iterations*step), float64(step)/1e6
	}
}
