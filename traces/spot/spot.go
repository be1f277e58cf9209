// Package spot reads the job list of Alibaba's spot GPU trace of 2026 (Duan et al., "GFS: a preemptive
// scheduling framework for GPU clusters with predictive spot management", ASPLOS 2026; alibaba/clusterdata,
// cluster-trace-v2026-spot-gpu, job_info_df.csv): CSV with a header, columns in any order.
//
//	job_name      name of the job
//	organization  the job's virtual cluster (VC)
//	gpu_model     type of GPU; empty = any
//	gpu_request   GPUs of each worker, or a part of one
//	worker_num    workers of the job
//	cpu_request   CPUs of each worker; may be absent
//	submit_time   seconds from the first submit
//	duration      seconds of the run
//	job_type      HP (guaranteed) or Spot (may be preempted): the job's priority, 1 or 0
//
// The publisher leaves open whether gpu_request and cpu_request are of a worker or of the whole job; jobs
// of one GPU and 94 workers make sense only as the former. A job asks for gpu_request x worker_num
// GPUs in workers of gpu_request. A single worker with a part of one GPU keeps that share; several are
// rounded up together to whole GPUs, and a note counts them.
//
// The list has runs alone. One submitted at 0 may have begun before: such a run is a lower bound, and
// a note counts them.
package spot

import (
	"io"
	"math"
	"strings"

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
	rows.Optional = []string{"cpu_request"}
	if err := rows.Header("job_name", "organization", "gpu_model", "gpu_request", "worker_num", "submit_time", "duration",
		"job_type"); err != nil {
		return nil, nil, err
	}
	l := list{c: intake.New(name, opt)}
	if err := intake.Rows(rows, l.keep); err != nil {
		return nil, nil, err
	}
	l.note()
	return l.c.Finish("spot", intake.FromFirst,
		origin.Origin{Field: "gpus", Source: "gpu_request x worker_num, in workers of gpu_request"},
		origin.Origin{Field: "work", Source: "duration x GPUs, a share as a part of one: the traced run is taken to be " +
			"without communication cost"},
		origin.Origin{Field: "vc", Source: "organization"},
		origin.Origin{Field: "priority", Source: "1 for HP, 0 for Spot"},
		origin.Origin{Field: "cpu", Source: "cpu_request x worker_num / GPUs"})
}

// list is the reading of a list.
type list struct {
	c       *intake.Collector
	kept    int
	first   int // submitted at 0
	rounded int
}

const most = intake.MaxGPUs

func (l *list) keep(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return l.c.Reject(row.Faults()...)
	}
	j := sim.Job{ID: row.Name("job_name"), VC: row.Name("organization"), GPUType: row.Name("gpu_model"),
		Submit: sim.Time(row.Micros("submit_time"))}
	switch strings.ToLower(row.Text("job_type")) {
	case "hp":
		j.Priority = 1
	case "spot":
	default:
		row.Reject("job_type", "HP or Spot")
	}
	each, workers := row.Float("gpu_request", 0, false), row.Count("worker_num", 1, most)
	if each > most {
		row.Reject("gpu_request", "a number from 0 to 1000000")
	}
	ran := row.Micros("duration")
	cpus := 0.0
	if row.Known("cpu_request") {
		cpus = row.Float("cpu_request", 0, false)
	}
	switch {
	case len(row.Faults()) > 0:
		return l.c.Reject(row.Faults()...)
	case each == 0:
		return l.c.Skip(row, "the job asks for no GPU")
	case ran == 0:
		return l.c.Skip(row, "the job ran for 0 s")
	}
	l.ask(&j, each, workers)
	j.CPUMilli = int32(min(float64(cpus*1000)*float64(workers)/float64(j.GPUs), math.MaxInt32))
	if l.kept++; j.Submit == 0 {
		l.first++
	}
	l.c.Ends(j.Submit + sim.Time(ran))
	j.Work = intake.Work(ran, j.GPUs)
	if j.ShareMilli > 0 {
		j.Work = intake.ShareWork(ran, j.ShareMilli)
	}
	return l.c.Keep(row, j)
}

// ask sets what a job asks for, by the GPUs of each worker.
func (l *list) ask(j *sim.Job, each float64, workers int64) {
	total := float64(each * float64(workers))
	j.GPUs = int32(min(math.Ceil(total), most+1))
	switch {
	case each == math.Trunc(each):
		if workers > 1 && each > 1 {
			j.WorkerGPUs = int32(each)
		}
	case workers == 1 && each < 1:
		j.ShareMilli = int32(max(1, math.Round(each*1000)))
	default:
		l.rounded++
	}
}

func (l *list) note() {
	if l.first > 1 {
		l.c.Note("%d of %d jobs are submitted at 0: their runs may have begun before the trace, a lower bound", l.first,
			l.kept)
	}
	if l.rounded > 0 {
		l.c.Note("%d jobs have parts of GPUs in several workers: their demand is rounded up to whole GPUs", l.rounded)
	}
}
