// Package csvfmt reads and writes tarry's own CSV of jobs.
//
// The header names the columns; they may stand in any order, and only id, submit_s,
// gpus and work_s are required. A file with duration_s in place of work_s gives the
// run time on the job's own GPUs: work = duration_s x gpus x share.
//
//	id           name of the job, unique in the file
//	submit_s     arrival, seconds >= 0 from the workload's start
//	gpus         GPUs asked for, a gang, >= 1
//	min_gpus     least and most GPUs of an elastic job; empty or 0 = gpus
//	max_gpus
//	worker_gpus  GPUs of one worker: every count is a multiple of it; empty or 0 = 1; written where a job has it
//	work_s       seconds on one whole GPU without communication, > 0
//	iterations   training iterations in the work; empty or 0 = unknown
//	iter_s       seconds of one iteration on one GPU; empty or 0 = work_s / iterations
//	batch_size   the job's own batch in samples; empty or 0 = not known; written where a job has it
//	model        name in the catalogue of models; empty = unknown
//	user vc      owner and virtual cluster; empty = unknown
//	group        the owner's group; empty = unknown
//	gpu_type     the only type that the job runs on; empty = any
//	state        how the job ended in its trace; empty = unknown
//	request_s    seconds that the user asked for, on the job's own GPUs; empty or 0 = unknown
//	deadline_s   seconds from the workload's start; empty or 0 = none
//	share_milli  part of a GPU asked for, in thousandths; empty, 0 or 1000 = whole
//	cpu_milli    thousandths of a CPU core per GPU; empty or 0 = not constrained
//	mem_mib      MiB of memory per GPU; empty or 0 = not constrained
//	gpu_mem_mib  MiB that the job needs on each of its GPUs; empty or 0 = not known; written where a job has it
//	gpu_util_frac  part of the time for which it keeps a GPU busy that it has alone, 0..1; empty or 0 = not known; written where a job has it
//	priority     larger is more urgent; empty or 0 = none
//	drawn        fields that a rule filled in, such as model+user; empty = none
//
// Times have up to six decimals and are read exactly, so that writing a workload
// and reading it back gives the same jobs. Only its Origins stay behind: tarry's
// Parquet keeps those too.
package csvfmt

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tabular"
)

// Columns lists the columns in the order in which Write gives them. It leaves worker_gpus, batch_size, gpu_mem_mib and gpu_util_frac out where no job has one.
func Columns() []string {
	return []string{"id", "submit_s", "gpus", "min_gpus", "max_gpus", "worker_gpus", "work_s", "iterations", "iter_s", "batch_size", "model", "user", "group", "vc",
		"gpu_type", "state", "request_s", "deadline_s", "share_milli", "cpu_milli", "mem_mib", "gpu_mem_mib", "gpu_util_frac", "priority", "drawn"}
}

// Read reads the file at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads jobs from r; the name stands in errors. Submits stay as they are written.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	if err := rows.Header("id", "submit_s", "gpus"); err != nil {
		return nil, nil, err
	}
	byDuration, err := checkColumns(name, rows.Columns())
	if err != nil {
		return nil, nil, err
	}
	c := intake.New(name, opt)
	if err := intake.Rows(rows, func(row *tabular.Row) error { return c.Keep(row, job(row, byDuration)) }); err != nil {
		return nil, nil, err
	}
	var origins []sim.Origin
	if byDuration {
		origins = append(origins, sim.Origin{Field: "work", Source: "duration_s x gpus x share: the run is taken to be without communication cost"})
	}
	return c.Finish("csv", intake.AsWritten, origins...)
}

func checkColumns(name string, columns []string) (byDuration bool, err error) {
	byDuration = slices.Contains(columns, "duration_s")
	if byDuration == slices.Contains(columns, "work_s") {
		return false, fmt.Errorf("%s:1: expected exactly one of the columns \"work_s\" and \"duration_s\"", name)
	}
	for _, c := range columns {
		if c != "duration_s" && !slices.Contains(Columns(), c) {
			return false, fmt.Errorf("%s:1: unknown column %q, expected some of %s", name, c, strings.Join(Columns(), ","))
		}
	}
	return byDuration, nil
}

func job(row *tabular.Row, byDuration bool) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	count := func(column string, lo, hi int64) int64 {
		if row.Text(column) == "" {
			return 0
		}
		return row.Count(column, lo, hi)
	}
	j := sim.Job{
		ID: row.Text("id"), Model: row.Text("model"), User: row.Text("user"), Group: row.Text("group"), VC: row.Text("vc"),
		GPUType: row.Text("gpu_type"), State: row.Text("state"),
		Submit:     sim.Time(row.Micros("submit_s")),
		GPUs:       int32(row.Count("gpus", 1, intake.MaxGPUs)),
		MinGPUs:    int32(count("min_gpus", 0, intake.MaxGPUs)),
		MaxGPUs:    int32(count("max_gpus", 0, intake.MaxGPUs)),
		WorkerGPUs: int32(count("worker_gpus", 0, intake.MaxGPUs)),
		Iterations: count("iterations", 0, math.MaxInt64),
		BatchSize:  int32(count("batch_size", 0, math.MaxInt32)),
		ShareMilli: int32(count("share_milli", 0, 1000)),
		CPUMilli:   int32(count("cpu_milli", 0, math.MaxInt32)),
		MemMiB:     int32(count("mem_mib", 0, math.MaxInt32)),
		GPUMiB:     int32(count("gpu_mem_mib", 0, math.MaxInt32)),
		Priority:   int32(count("priority", math.MinInt32, math.MaxInt32)),
	}
	if byDuration {
		ran := row.Positive("duration_s")
		if j.Work = intake.Work(ran, j.GPUs); j.ShareMilli > 0 && j.GPUs == 1 {
			j.Work = intake.ShareWork(ran, j.ShareMilli)
		}
	} else {
		j.Work = sim.Time(row.Positive("work_s"))
	}
	if row.Text("request_s") != "" {
		j.Request = sim.Time(row.Micros("request_s"))
	}
	if row.Text("deadline_s") != "" {
		j.Deadline = sim.Time(row.Micros("deadline_s"))
	}
	if row.Text("gpu_util_frac") != "" {
		j.GPUUtilFrac = row.Float("gpu_util_frac", 0, false)
	}
	if row.Text("iter_s") != "" {
		j.IterS = row.Float("iter_s", 0, false)
	}
	drawn, ok := parseDrawn(row.Text("drawn"))
	if !ok {
		row.Reject("drawn", "names of fields between +, such as model+user")
	}
	j.Drawn = drawn
	return j
}

// parseDrawn undoes sim.Field.String.
func parseDrawn(s string) (f sim.Field, ok bool) {
	if s == "" {
		return 0, true
	}
	for name := range strings.SplitSeq(s, "+") {
		bit := sim.Field(1)
		for bit.String() != name {
			if bit <<= 1; bit == 0 {
				return 0, false
			}
		}
		f |= bit
	}
	return f, true
}
