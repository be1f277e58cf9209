// Package muri reads the traces of Muri's simulator (Zhao et al., "Multi-Resource Interleaving for
// Deep Learning Training", SIGCOMM 2022): CSV with a header, columns in any order, times in
// milliseconds.
//
//	job_id          name of the job
//	num_gpu         GPUs of the gang
//	submit_time     submit, on the trace's own clock
//	iterations      training iterations to do
//	model_name      the job's model, by which profiles have its stages
//	iteration_time  time of an iteration on num_gpu GPUs, without the 1.015 by which that simulator multiplies it
//	duration        the job's requested time (Request), by which Muri-S orders jobs that never ran; may be absent or empty: unknown
//	batch_size      samples of all GPUs together; may be absent or empty
//	priority        the job's priority, a whole number; may be absent or empty = 0
//
// Other columns are not read: resource_time_0 to 2 are the model's and GPUs' times, which
// stages.csv of the speed model muri has.
//
// # Work
//
// An iteration takes 1.015 x iteration_time on num_gpu GPUs. Work is iterations times that times
// num_gpu, rounded to a microsecond per GPU, so that a job alone on GPUs of its own takes as long
// as in that simulator.
package muri

import (
	"fmt"
	"io"
	"math"

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
	rows := tabular.NewReader(name, in)
	rows.Optional = []string{"duration", "batch_size", "priority"}
	if err := rows.Header("job_id", "num_gpu", "submit_time", "iterations", "model_name",
		"iteration_time"); err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := c.Jobs(rows, job); err != nil {
		return nil, nil, err
	}
	return c.Finish("muri", intake.AsWritten,
		origin.Origin{Field: "work", Source: "iterations x 1.015 x iteration_time x num_gpu, as in Muri's simulator"})
}

const (
	maxMS = 1e15
	// stretch is by what that simulator multiplies the time of an iteration, in thousandths.
	stretch = 1015
	maxWork = 1e18 // microseconds
)

func job(row *tabular.Row) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name("job_id"), Model: row.Name("model_name"),
		GPUs:       int32(row.Count("num_gpu", 1, intake.MaxGPUs)),
		Iterations: row.Count("iterations", 1, 1<<53),
		Submit:     millis(row, "submit_time"),
	}
	if j.Model == "" {
		row.Reject("model_name", "a model")
	}
	each := row.Float("iteration_time", 0, true)
	if row.Known("duration") {
		j.Request = millis(row, "duration")
	}
	if row.Known("batch_size") {
		j.BatchSize = int32(row.Count("batch_size", 0, 1<<31-1))
	}
	if row.Known("priority") {
		j.Priority = int32(row.Count("priority", 0, math.MaxInt32-1))
	}
	if len(row.Faults()) > 0 {
		return j
	}
	run := math.Round(float64(float64(j.Iterations)*each) * stretch)
	if !(run >= 1 && run <= maxWork/float64(j.GPUs)) {
		row.Rejectf("%d iterations of %g ms on %d GPUs, expected 1e-6 s to 1e12 s of work", j.Iterations, each, j.GPUs)
		return j
	}
	j.Work, j.IterS = sim.Time(run)*sim.Time(j.GPUs), float64(each*stretch)/1e6*float64(j.GPUs)
	return j
}

// millis reads milliseconds.
func millis(row *tabular.Row, column string) sim.Time {
	ms := row.Float(column, 0, false)
	if ms > maxMS {
		row.Reject(column, fmt.Sprintf("at most %g ms", float64(maxMS)))
		return 0
	}
	return sim.Seconds(ms / 1000)
}
