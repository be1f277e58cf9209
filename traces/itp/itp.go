// Package itp reads the jobs of Microsoft's ITP clusters (Gu et al., "ElasticFlow: an elastic
// serverless training platform for distributed deep learning", ASPLOS 2023): CSV with the columns
// job (or job_id), submission_time (s), duration (s) and num_gpu, in any order, and in a file of
// several clusters cluster. Other columns are not looked at: the model, iterations and deadline
// that some files of the publisher have are generated, not recorded.
//
// The cluster becomes the virtual cluster. The ten clusters are machines of their own, whose sizes
// are not published: all jobs together are the load of no cluster, and "trace convert --vc 07"
// takes one apart. Users are not in the data. Jobs shorter than 600 s were left out by the
// publisher.
package itp

import (
	"fmt"
	"io"
	"slices"

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
	rows.Optional = []string{"cluster", "job", "job_id"}
	if err := rows.Header("submission_time", "duration", "num_gpu"); err != nil {
		return nil, nil, err
	}
	id, err := idColumn(name, rows.Columns())
	if err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := c.Jobs(rows, func(row *tabular.Row) sim.Job { return job(row, id) }); err != nil {
		return nil, nil, err
	}
	return c.Finish("itp", intake.FromFirst,
		origin.Origin{Field: "vc", Source: "cluster: each has machines of its own"},
		origin.Origin{Field: "work", Source: "duration x num_gpu: the traced run is taken to be without " +
			"communication cost"})
}

// idColumn is the column that names jobs.
func idColumn(name string, columns []string) (string, error) {
	job, jobID := slices.Contains(columns, "job"), slices.Contains(columns, "job_id")
	switch {
	case job == jobID:
		return "", fmt.Errorf("%s:1: expected exactly one of the columns \"job\" and \"job_id\"", name)
	case job:
		return "job", nil
	}
	return "job_id", nil
}

func job(row *tabular.Row, id string) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name(id), VC: row.Name("cluster"),
		GPUs:   int32(row.Count("num_gpu", 1, intake.MaxGPUs)),
		Submit: sim.Time(row.Micros("submission_time")),
	}
	j.Work = intake.Work(row.Positive("duration"), j.GPUs)
	return j
}
