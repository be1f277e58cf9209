// Package philly reads the jobs of Microsoft's Philly clusters (Jeon et al.,
// "Analysis of large-scale multi-tenant GPU clusters for DNN training workloads",
// USENIX ATC 2019), in either of two forms that it distinguishes by the first byte.
//
// The published cluster_job_log is a JSON list of jobs with their attempts; see
// log.go. The CSV is a job-level extract with the columns timestamp, duration (s),
// num_gpus, gpu_time (s) and cluster (the virtual cluster). The CSV names no job:
// the id is the number of the data row. Neither form names a model.
//
// Wall-clock times are taken as UTC; the log is in local time, so the hour that the
// clocks were put back in November 2017 occurs twice.
package philly

import (
	"io"
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
	if in.First() == '[' {
		return parseLog(name, in, opt)
	}
	rows := tabular.NewReader(name, in)
	if err := rows.Header("timestamp", "duration", "num_gpus", "cluster"); err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := c.Jobs(rows, extractJob); err != nil {
		return nil, nil, err
	}
	return c.Finish("philly", intake.FromFirst,
		origin.Origin{Field: "id", Source: "number of the data row"},
		origin.Origin{Field: "work", Source: "duration x num_gpus: the traced run is taken to be without " +
			"communication cost"})
}

func extractJob(row *tabular.Row) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID:     strconv.Itoa(row.Number),
		Submit: sim.Time(row.Clock("timestamp")),
		GPUs:   int32(row.Count("num_gpus", 1, intake.MaxGPUs)),
		VC:     row.Name("cluster"),
	}
	j.Work = intake.Work(row.Positive("duration"), j.GPUs)
	return j
}
