// Package helios reads the job logs of SenseTime's Helios clusters (Hu et al.,
// "Characterization and prediction of deep learning workloads in large-scale GPU
// datacenters", SC 2021): cluster_log.csv with the columns job_id, user, vc, gpu_num,
// cpu_num, node_num, state, submit_time, start_time, end_time, duration (s) and
// queue (s).
//
// Jobs without a GPU, and jobs that never started or ran for 0 s, are left out and
// counted. Wall-clock times are taken as UTC.
package helios

import (
	"io"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the log at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a log from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	if err := rows.Header("job_id", "user", "vc", "gpu_num", "state", "submit_time", "duration"); err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := intake.Rows(rows, func(row *tabular.Row) error { return keep(c, row) }); err != nil {
		return nil, nil, err
	}
	return c.Finish("helios", intake.FromFirst,
		origin.Origin{Field: "work", Source: "duration x gpu_num: the traced run is taken to be without " +
			"communication cost"},
		origin.Origin{Field: "cpu", Source: "cpu_num / gpu_num, rounded down to thousandths"})
}

func keep(c *intake.Collector, row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return c.Reject(row.Faults()...)
	}
	j := sim.Job{
		ID: row.Text("job_id"), User: row.Text("user"), VC: row.Text("vc"), State: row.Text("state"),
		GPUs: int32(row.Count("gpu_num", 0, intake.MaxGPUs)),
	}
	j.Submit = sim.Time(row.Clock("submit_time"))
	started := row.Known("duration")
	var ran int64
	if started {
		ran = row.Micros("duration")
	}
	if row.Known("cpu_num") {
		cpus := row.Count("cpu_num", 0, 1_000_000)
		j.CPUMilli = int32(cpus * 1000 / max(1, int64(j.GPUs)))
	}
	switch {
	case len(row.Faults()) > 0:
		return c.Reject(row.Faults()...)
	case j.GPUs == 0:
		return c.Skip(row, "the job asks for no GPU")
	case !started:
		return c.Skip(row, "the job never ran: no duration")
	case ran == 0:
		return c.Skip(row, "the job ran for 0 s")
	}
	j.Work = intake.Work(ran, j.GPUs)
	if end, ok := tabular.ParseClock(row.Text("end_time")); ok {
		c.Ends(sim.Time(end))
	}
	return c.Keep(row, j)
}
