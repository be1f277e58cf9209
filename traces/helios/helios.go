// Package helios reads the job logs of SenseTime's Helios clusters (Hu et al.,
// "Characterization and prediction of deep learning workloads in large-scale GPU
// datacenters", SC 2021): cluster_log.csv with the columns job_id, user, vc, gpu_num,
// cpu_num, node_num, state, submit_time, start_time, end_time, duration (s) and
// queue (s).
//
// Jobs without a GPU, and jobs that never started or ran for 0 s, are left out and
// counted. Wall-clock times without a zone are taken as UTC. A duration that is end_time - submit_time
// has the wait in it: the run is then end_time - start_time, and a note counts such rows.
package helios

import (
	"fmt"
	"io"
	"slices"

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
	rows.Optional = []string{"cpu_num", "start_time", "end_time"}
	if err := rows.Header("job_id", "user", "vc", "gpu_num", "state", "submit_time", "duration"); err != nil {
		if have := rows.Columns(); slices.Contains(have, "node_num") && slices.Contains(have, "type") {
			err = fmt.Errorf("%w; AcmeTrace, which has these columns, is --trace acme:FILE", err)
		}
		return nil, nil, err
	}
	l := log{c: intake.New(name, opt)}
	if err := intake.Rows(rows, l.keep); err != nil {
		return nil, nil, err
	}
	if l.odd > 0 {
		l.c.Note("%d of %d jobs have another duration than end_time - start_time: duration is taken; %d of them end_time - "+
			"submit_time, with the wait: end_time - start_time is taken", l.odd, l.jobs, l.waited)
	}
	return l.c.Finish("helios", intake.FromFirst,
		origin.Origin{Field: "work", Source: "duration x gpu_num: the traced run is taken to be without " +
			"communication cost"},
		origin.Origin{Field: "cpu", Source: "cpu_num / gpu_num, rounded down to thousandths"})
}

// log is the reading of a log.
type log struct {
	c                 *intake.Collector
	jobs, odd, waited int // with a duration and both times; another duration; one with the wait
}

func (l *log) keep(row *tabular.Row) error {
	c := l.c
	if len(row.Faults()) > 0 {
		return c.Reject(row.Faults()...)
	}
	j := sim.Job{
		ID: row.Name("job_id"), User: row.Name("user"), VC: row.Name("vc"), State: row.Name("state"),
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
	j.Work = intake.Work(l.check(row, int64(j.Submit), ran), j.GPUs)
	if start, ok := tabular.ParseClock(row.Text("start_time")); ok {
		j.Record = intake.Recorded(int64(j.Submit), start)
	}
	if end, ok := tabular.ParseClock(row.Text("end_time")); ok {
		c.Ends(sim.Time(end))
	}
	return c.Keep(row, j)
}

// check compares a duration with the times of the job, where the row has them, and gives the run: the
// duration, unless that counts from the submit and so has the wait in it.
func (l *log) check(row *tabular.Row, submit, duration int64) int64 {
	start, ok1 := tabular.ParseClock(row.Text("start_time"))
	end, ok2 := tabular.ParseClock(row.Text("end_time"))
	if !ok1 || !ok2 {
		return duration
	}
	if l.jobs++; duration == end-start {
		return duration
	}
	if l.odd++; duration == end-submit && start < end {
		l.waited++
		return end - start
	}
	return duration
}
