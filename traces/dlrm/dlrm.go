// Package dlrm reads the instance list of Alibaba's GPU trace of 2025 (Yang et al., "GPU-disaggregated
// serving for deep learning recommendation models at scale", NSDI 2025; alibaba/clusterdata,
// cluster-trace-gpu-v2025, disaggregated_DLRM_trace.csv): CSV with a header, columns in any order.
//
//	instance_sn     name of the instance, which is a job
//	app_name        inference service of which it is one: the job's virtual cluster (VC)
//	gpu_request     GPUs; instances of the role CN have none and are left out
//	cpu_request     CPUs; may be absent
//	memory_request  host memory in GiB; may be absent
//	creation_time, scheduled_time, deletion_time
//	                seconds from the start of the trace, NaN before its start and after its end
//
// Other columns are not read. An instance runs from scheduled_time to deletion_time. One that was
// there before the trace is submitted at 0 and runs from 0; one that is not deleted runs until the
// latest time of the list. Both runs are lower bounds, and notes count them.
package dlrm

import (
	"fmt"
	"io"
	"math"

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
	rows.Optional = []string{"cpu_request", "memory_request"}
	if err := rows.Header("instance_sn", "app_name", "gpu_request", "creation_time", "scheduled_time",
		"deletion_time"); err != nil {
		return nil, nil, err
	}
	l := list{c: intake.New(name, opt), name: name}
	if err := intake.Rows(rows, l.row); err != nil {
		return nil, nil, err
	}
	if err := l.end(); err != nil {
		return nil, nil, err
	}
	return l.c.Finish("dlrm", intake.AsWritten,
		origin.Origin{Field: "work", Source: "(deletion_time - scheduled_time) x gpu_request, within the trace"},
		origin.Origin{Field: "vc", Source: "app_name: the inference service"},
		origin.Origin{Field: "cpu and memory", Source: "cpu_request and memory_request, divided by gpu_request"})
}

// list is the reading of a list.
type list struct {
	c            *intake.Collector
	name         string
	last         int64 // the latest time of the list
	open         []instance
	early, later int // jobs from before the trace, and until its end
}

// instance is one that is not deleted within the trace.
type instance struct {
	job          sim.Job
	start        int64
	line, number int
}

// maxOpen bounds the instances that wait for the end of the list.
const maxOpen = 1_000_000

// time reads seconds; false = NaN.
func (l *list) time(row *tabular.Row, column string) (int64, bool) {
	if !row.Known(column) {
		return 0, false
	}
	t := row.Micros(column)
	l.last = max(l.last, t)
	return t, true
}

func (l *list) row(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return l.c.Reject(row.Faults()...)
	}
	j := sim.Job{ID: row.Name("instance_sn"), VC: row.Name("app_name"), GPUs: int32(row.Count("gpu_request", 0,
		intake.MaxGPUs))}
	created, isCreated := l.time(row, "creation_time")
	start, isScheduled := l.time(row, "scheduled_time")
	end, isDeleted := l.time(row, "deletion_time")
	j.Submit = sim.Time(created)
	host(row, &j)
	switch {
	case len(row.Faults()) > 0:
	case isScheduled && start < created:
		row.Reject("scheduled_time", "seconds not before creation_time "+row.Text("creation_time"))
	case isDeleted && end < start:
		row.Reject("deletion_time", "seconds not before scheduled_time "+row.Text("scheduled_time"))
	}
	switch {
	case len(row.Faults()) > 0:
		return l.c.Reject(row.Faults()...)
	case j.GPUs == 0:
		return l.c.Skip(row, "the instance asks for no GPU")
	case isCreated && !isScheduled:
		return l.c.Skip(row, "the instance was never scheduled")
	}
	if !isCreated {
		l.early++
	}
	if isDeleted {
		return l.keep(row, j, end-start)
	}
	if l.later++; l.later > maxOpen {
		return fmt.Errorf("%s:%d: more than %d instances without deletion_time, the limit that keeps memory bounded",
			row.File, row.Line, maxOpen)
	}
	j.ID, j.VC = l.c.Text(j.ID), l.c.Text(j.VC)
	l.open = append(l.open, instance{j, start, row.Line, row.Number})
	return nil
}

// end keeps the instances that run until the end of the trace.
func (l *list) end() error {
	for _, o := range l.open {
		l.c.Cut(o.job.ID)
		if err := l.keep(tabular.NewRow(l.name, o.line, o.number, nil, nil), o.job, l.last-o.start); err != nil {
			return err
		}
	}
	if l.early > 0 {
		l.c.Note("%d instances were there before the trace: submitted at 0, their runs are a lower bound", l.early)
	}
	if l.later > 0 {
		l.c.Note("%d instances were not deleted: their runs end with the latest time of the list, a lower bound", l.later)
	}
	return nil
}

func (l *list) keep(row *tabular.Row, j sim.Job, ran int64) error {
	if ran == 0 {
		return l.c.Skip(row, "the instance ran for 0 s")
	}
	j.Work = intake.Work(ran, j.GPUs)
	return l.c.Keep(row, j)
}

// host sets what an instance asks of hosts for each of its GPUs.
func host(row *tabular.Row, j *sim.Job) {
	each := func(column string, scale float64) int32 {
		if !row.Known(column) {
			return 0
		}
		return int32(min(row.Float(column, 0, false)*scale/float64(max(j.GPUs, 1)), math.MaxInt32))
	}
	j.CPUMilli, j.MemMiB = each("cpu_request", 1000), each("memory_request", 1024)
}
