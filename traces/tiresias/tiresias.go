// Package tiresias reads the job lists of the Tiresias simulator (Gu et al.,
// "Tiresias: a GPU cluster manager for distributed deep learning", NSDI 2019):
// CSV with the columns job_id, num_gpu, submit_time (s), iterations, model_name,
// duration (s) and interval. The columns may stand in any order.
//
// The duration is the run time on num_gpu GPUs, as the simulator uses it.
package tiresias

import (
	"io"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the list at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a list from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.Optional = []string{"model_name", "iterations"}
	if err := rows.Header("job_id", "num_gpu", "submit_time", "duration"); err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := c.Jobs(rows, job); err != nil {
		return nil, nil, err
	}
	return c.Finish("tiresias", intake.FromFirst,
		origin.Origin{Field: "work", Source: "duration x num_gpu: the listed run is taken to be without " +
			"communication cost"})
}

func job(row *tabular.Row) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name("job_id"), Model: row.Name("model_name"),
		GPUs:   int32(row.Count("num_gpu", 1, intake.MaxGPUs)),
		Submit: sim.Time(row.Micros("submit_time")),
	}
	j.Work = intake.Work(row.Positive("duration"), j.GPUs)
	if row.Known("iterations") {
		j.Iterations = row.Count("iterations", 0, 1<<53)
	}
	return j
}
