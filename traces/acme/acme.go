// Package acme reads the job logs of AcmeTrace (Hu et al., "Characterization of large language model
// development in the datacenter", NSDI 2024; InternLM/AcmeTrace, data/job_trace): trace_seren.csv and
// trace_kalos.csv, CSV with a header, columns in any order.
//
//	job_id, user    names
//	gpu_num         GPUs of the job
//	node_num        nodes of the job, and its pods; may be absent
//	cpu_num         CPUs of the whole job; may be absent
//	mem_per_pod_GB  host memory of a pod (kalos); may be absent
//	type            kind of work, such as Pretrain, SFT or Evaluation: the job's virtual cluster (VC), so that a type
//	                can be taken apart or have a quota; may be absent. A column vc goes before it
//	state           COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, RUNNING
//	submit_time, start_time, end_time
//	                wall-clock times, each with its zone: +08:00 in seren, +00:00 in kalos
//	duration        seconds; checked, never taken
//
// A job runs from start_time to end_time. The published duration is that in seren, but in kalos
// end_time - submit_time, with the wait (and gpu_time is duration x GPUs): a note counts the rows in
// which it differs. Jobs without a GPU, jobs that never started, jobs that still ran at the end of
// the log and jobs that ran for 0 s are left out and counted.
package acme

import (
	"io"
	"maps"
	"math"
	"slices"
	"strings"

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
	rows.Optional = []string{"node_num", "cpu_num", "mem_per_pod_GB", "type", "vc", "duration"}
	if err := rows.Header("job_id", "user", "gpu_num", "state", "submit_time", "start_time", "end_time"); err != nil {
		return nil, nil, err
	}
	l := log{c: intake.New(name, opt), zones: map[string]int{}, vc: "type"}
	if slices.Contains(rows.Columns(), "vc") {
		l.vc = "vc"
	}
	if err := intake.Rows(rows, l.keep); err != nil {
		return nil, nil, err
	}
	l.note()
	return l.c.Finish("acme", intake.FromFirst,
		origin.Origin{Field: "work", Source: "(end_time - start_time) x gpu_num: the traced run is taken to be without " +
			"communication cost"},
		origin.Origin{Field: "vc", Source: "the column " + l.vc},
		origin.Origin{Field: "cpu and memory", Source: "cpu_num / gpu_num, mem_per_pod_GB x node_num / gpu_num"})
}

// log is the reading of a log.
type log struct {
	c     *intake.Collector
	vc    string         // the column of the virtual cluster
	zones map[string]int // rows by zone of their submit
	// jobs have a duration; odd of them another than end - start, waited of these end - submit.
	jobs, odd, waited int
	early             int // jobs that start before their submit
}

func (l *log) keep(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return l.c.Reject(row.Faults()...)
	}
	j := sim.Job{
		ID: row.Name("job_id"), User: row.Name("user"), VC: row.Name(l.vc), State: row.Name("state"),
		GPUs: int32(row.Count("gpu_num", 0, intake.MaxGPUs)), Submit: sim.Time(row.Clock("submit_time")),
	}
	started, ended := row.Known("start_time"), row.Known("end_time")
	var start, end int64
	if started {
		start = row.Clock("start_time")
	}
	if ended {
		end = row.Clock("end_time")
	}
	host(row, &j)
	if len(row.Faults()) == 0 && started && ended && end < start {
		row.Reject("end_time", "a time not before start_time "+row.Text("start_time"))
	}
	switch {
	case len(row.Faults()) > 0:
		return l.c.Reject(row.Faults()...)
	case j.GPUs == 0:
		return l.c.Skip(row, "the job asks for no GPU")
	case !started:
		return l.c.Skip(row, "the job never ran: no start_time")
	case !ended:
		return l.c.Skip(row, "the job was still running at the end of the log: no end_time")
	case start == end:
		return l.c.Skip(row, "the job ran for 0 s")
	}
	l.check(row, int64(j.Submit), start, end)
	j.Work = intake.Work(end-start, j.GPUs)
	j.Record = intake.Recorded(int64(j.Submit), start)
	l.c.Ends(sim.Time(end))
	return l.c.Keep(row, j)
}

// host sets what a job asks of hosts for each of its GPUs.
func host(row *tabular.Row, j *sim.Job) {
	gpus := float64(max(j.GPUs, 1))
	if row.Known("cpu_num") {
		j.CPUMilli = whole(row.Float("cpu_num", 0, false) * 1000 / gpus)
	}
	pods := 1.0
	if row.Known("node_num") {
		pods = float64(max(row.Count("node_num", 0, intake.MaxGPUs), 1))
	}
	if row.Known("mem_per_pod_GB") {
		j.MemMiB = whole(float64(row.Float("mem_per_pod_GB", 0, false)*1e9/(1<<20)) * pods / gpus)
	}
}

func whole(x float64) int32 { return int32(min(x, math.MaxInt32)) }

// check compares the published duration with the times of a job that is kept, and counts zones.
func (l *log) check(row *tabular.Row, submit, start, end int64) {
	if start < submit {
		l.early++
	}
	if len(l.zones) < 100 {
		l.zones[zone(row.Text("submit_time"))]++
	}
	told, ok := tabular.ParseMicros(row.Text("duration"))
	if !ok {
		return
	}
	l.jobs++
	if told != end-start {
		l.odd++
		if told == end-submit {
			l.waited++
		}
	}
}

// zone is what a wall-clock time states of its zone.
func zone(s string) string {
	const date = len("2006-01-02")
	at := strings.IndexAny(s[min(date, len(s)):], "+-Zz")
	if at < 0 {
		return "none, taken as UTC"
	}
	return strings.TrimSpace(strings.Clone(s[date+at:]))
}

func (l *log) note() {
	zones := slices.Sorted(maps.Keys(l.zones))
	if len(zones) > 1 {
		l.c.Note("times are in %d zones (%s), each read as written", len(zones), strings.Join(zones, "; "))
	} else if len(zones) == 1 {
		l.c.Note("times are in the zone %s", zones[0])
	}
	if l.odd > 0 {
		l.c.Note("%d of %d jobs have another duration than end_time - start_time, which is taken; %d of them end_time - "+
			"submit_time, with the wait", l.odd, l.jobs, l.waited)
	}
	if l.early > 0 {
		l.c.Note("%d jobs have a start_time before their submit_time", l.early)
	}
}
