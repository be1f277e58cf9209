package pai

import (
	"fmt"
	"math"
	"strings"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// tables joins the three tables by job name.
type tables struct {
	c              *intake.Collector
	demands        map[string]*demand
	rounded, types int
	tasks          int // with GPUs
}

// demand is what the tasks with GPUs of one job ask for, and when they ran.
type demand struct {
	gpuPercent, cpuPercent, memGiB float64
	instances                      int64
	gpuType                        string
	mixed                          bool
	tasks                          []string
	taskRun, instRun               interval
}

// interval is from the first start to the last end seen, in microseconds.
type interval struct {
	start, end int64
	known      bool
}

func (v *interval) add(start, end int64) {
	if !v.known {
		*v = interval{start, end, true}
		return
	}
	v.start, v.end = min(v.start, start), max(v.end, end)
}

// maxTasks bounds the tasks that are kept until their jobs are read.
const maxTasks = intake.DefaultMaxJobs

// maxPlan bounds what one task may plan, far above any machine.
const maxPlan = 1e9

func plan(row *tabular.Row, column string) float64 {
	if !row.Known(column) {
		return 0
	}
	v := row.Float(column, 0, false)
	if v > maxPlan {
		row.Reject(column, "a number from 0 to 1e9")
		return 0
	}
	return v
}

func (t *tables) task(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	gpu := plan(row, "plan_gpu")
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	if gpu == 0 {
		return nil // a parameter server or a CPU worker
	}
	if t.tasks++; t.tasks > maxTasks {
		return fmt.Errorf("%s:%d: more than %d tasks with GPUs, the limit that keeps memory bounded: read a part of "+
			"the trace", row.File, row.Line, maxTasks)
	}
	n := row.Count("inst_num", 1, intake.MaxGPUs)
	cpu, mem := plan(row, "plan_cpu"), plan(row, "plan_mem")
	start, end, ran := run(row)
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	name := row.Name("job_name")
	d := t.demands[name]
	if d == nil {
		d = &demand{gpuType: t.c.Text(row.Name("gpu_type"))}
		t.demands[strings.Clone(name)] = d
	}
	if row.Name("gpu_type") != d.gpuType {
		d.mixed = true
	}
	d.tasks = append(d.tasks, t.c.Text(row.Text("task_name")))
	d.instances += n
	d.gpuPercent += float64(float64(n) * gpu)
	d.cpuPercent += float64(float64(n) * cpu)
	d.memGiB += float64(float64(n) * mem)
	if ran {
		d.taskRun.add(start, end)
	}
	return nil
}

// run reads start and end when both are known.
func run(row *tabular.Row) (start, end int64, ok bool) {
	if !row.Known("start_time") || !row.Known("end_time") {
		return 0, 0, false
	}
	start, end = row.Micros("start_time"), row.Micros("end_time")
	if len(row.Faults()) == 0 && end < start {
		row.Reject("end_time", "seconds not before start_time "+row.Text("start_time"))
	}
	return start, end, true
}

func (t *tables) instance(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	d := t.demands[row.Name("job_name")]
	if d == nil || !d.has(row.Text("task_name")) {
		return nil
	}
	start, end, ok := run(row)
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	if ok {
		d.instRun.add(start, end)
	}
	return nil
}

func (d *demand) has(task string) bool {
	for _, n := range d.tasks {
		if n == task {
			return true
		}
	}
	return false
}

func (t *tables) job(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	j := sim.Job{ID: row.Name("job_name"), User: row.Name("user"), State: row.Name("status")}
	started := row.Known("start_time")
	if started {
		j.Submit = sim.Time(row.Micros("start_time"))
	}
	if len(row.Faults()) > 0 {
		return t.c.Reject(row.Faults()...)
	}
	d := t.demands[j.ID]
	switch {
	case d == nil:
		return t.c.Skip(row, "the job has no task with a GPU")
	case !started:
		return t.c.Skip(row, "the job has no submit time")
	}
	v := d.instRun
	if !v.known {
		v = d.taskRun
	}
	if !v.known || v.end == v.start {
		return t.c.Skip(row, "the job's GPU tasks show no run time")
	}
	t.ask(&j, d)
	j.Work = intake.Work(v.end-v.start, j.GPUs)
	if j.ShareMilli > 0 && j.GPUs == 1 {
		j.Work = intake.ShareWork(v.end-v.start, j.ShareMilli)
	}
	t.c.Ends(sim.Time(v.end))
	return t.c.Keep(row, j)
}

// ask sets what the job asks for.
func (t *tables) ask(j *sim.Job, d *demand) {
	gpus := math.Ceil(d.gpuPercent / 100)
	j.GPUs = int32(min(gpus, intake.MaxGPUs+1))
	switch {
	case d.instances == 1 && d.gpuPercent < 100:
		j.ShareMilli = int32(max(1, math.Round(d.gpuPercent*10)))
	case float64(gpus*100) != d.gpuPercent:
		t.rounded++
	}
	j.CPUMilli = int32(min(float64(d.cpuPercent*10)/gpus, math.MaxInt32))
	j.MemMiB = int32(min(float64(d.memGiB*1024)/gpus, math.MaxInt32))
	if d.mixed {
		t.types++
	} else {
		j.GPUType = d.gpuType
	}
}
