// Package jobfile keeps the jobs of a workload in one Parquet file.
//
// The file is flat: one REQUIRED column per field of sim.Job, times as whole microseconds, "" and 0
// for what is unknown, plain strings, zstd. These are the rules under which every Parquet reader
// tried gives the same values. The workload's name and origins are in the file's metadata, so that
// reading gives back exactly the workload that was written.
//
//	id state model user group vc gpu_type                  string
//	submit_us work_us request_us deadline_us iterations    int64
//	iter_s                                                 double
//	gpus min_gpus max_gpus share_milli cpu_milli mem_mib
//	priority drawn_bits                                    int32
//	worker_gpus, batch_size, gpu_mem_mib, where a job has one   int32
//	gpu_util_frac, where a job has one                     double
//	log_start_us (-1 = none), where a job has one          int64
//	log_machines, where a job has one                      string
//
// A file that other tools wrote may have these columns of other types, and the columns of our CSV:
// the package jobcell has the rules. Columns may be whole numbers of any width, floats, decimals,
// texts, dates, timestamps (without a time zone taken as UTC), booleans, and, with Arrow's schema
// in the file, durations; times are read by the unit of their type. Lists, structs, times of day
// and raw bytes are refused, and so is what this program has no decoder for (encodings, codecs,
// encryption). A text has at most MaxText bytes, a page MaxPage.
//
// drawn_bits is origin.Field: the sum of 1 model, 2 user, 4 vc, 8 work, 16 gpus, 32 submit, 64
// deadline, 128 group, 256 request and 512 range for the fields that a rule filled in.
package jobfile

import (
	"slices"

	"tarry/sim"
)

const (
	version    = "tarry/jobs/v1"
	keyVersion = "tarry.format"
	keyName    = "tarry.workload"
	keyOrigins = "tarry.origins"
)

// column ties one column of the file to a field of a job: exactly one of the
// pointers that the functions give is used.
type column struct {
	name string
	unit string
	text func(*sim.Job) *string
	wide func(*sim.Job) *int64
	time func(*sim.Job) *sim.Time
	int  func(*sim.Job) *int32
	real func(*sim.Job) *float64
}

// seldom are the columns that only files have in which a job has the field: the others are as they
// were before there was such a column.
func seldom() map[string]func(sim.Job) bool {
	return map[string]func(sim.Job) bool{
		workerGPUs: func(j sim.Job) bool { return j.WorkerGPUs != 0 },
		batchSize:  func(j sim.Job) bool { return j.BatchSize != 0 },
		gpuMiB:     func(j sim.Job) bool { return j.GPUMiB != 0 },
		gpuUtil:    func(j sim.Job) bool { return j.GPUUtilFrac != 0 },
		startUS:    func(j sim.Job) bool { return j.Record != nil },
		machines:   func(j sim.Job) bool { return j.Record != nil && j.Record.Machines != "" },
	}
}

const (
	workerGPUs = "worker_gpus"
	batchSize  = "batch_size"
	gpuMiB     = "gpu_mem_mib"
	gpuUtil    = "gpu_util_frac"
	startUS    = "log_start_us"
	machines   = "log_machines"
)

// start is the job's start in its trace, -1 = not recorded.
func start(j *sim.Job) *sim.Time {
	at := sim.Time(-1)
	if j.Record != nil {
		at = j.Submit + sim.Time(j.Record.Wait)
	}
	return &at
}

// places are the job's machines in its trace.
func places(j *sim.Job) *string {
	if j.Record != nil {
		return &j.Record.Machines
	}
	return new(string)
}

// written lists the columns that the file of a workload has.
func written(w *sim.Workload) []column {
	has := seldom()
	return slices.DeleteFunc(jobColumns(), func(c column) bool {
		return has[c.name] != nil && !slices.ContainsFunc(w.Jobs, has[c.name])
	})
}

func jobColumns() []column {
	return []column{
		{name: "id", text: func(j *sim.Job) *string { return &j.ID }},
		{name: "submit_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Submit }},
		{name: "gpus", int: func(j *sim.Job) *int32 { return &j.GPUs }},
		{name: "min_gpus", int: func(j *sim.Job) *int32 { return &j.MinGPUs }},
		{name: "max_gpus", int: func(j *sim.Job) *int32 { return &j.MaxGPUs }},
		{name: workerGPUs, int: func(j *sim.Job) *int32 { return &j.WorkerGPUs }},
		{name: "work_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Work }},
		{name: "iterations", wide: func(j *sim.Job) *int64 { return &j.Iterations }},
		{name: "iter_s", unit: "s", real: func(j *sim.Job) *float64 { return &j.IterS }},
		{name: batchSize, int: func(j *sim.Job) *int32 { return &j.BatchSize }},
		{name: "model", text: func(j *sim.Job) *string { return &j.Model }},
		{name: "user", text: func(j *sim.Job) *string { return &j.User }},
		{name: "group", text: func(j *sim.Job) *string { return &j.Group }},
		{name: "vc", text: func(j *sim.Job) *string { return &j.VC }},
		{name: "gpu_type", text: func(j *sim.Job) *string { return &j.GPUType }},
		{name: "state", text: func(j *sim.Job) *string { return &j.State }},
		{name: "request_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Request }},
		{name: "deadline_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Deadline }},
		{name: "share_milli", int: func(j *sim.Job) *int32 { return &j.ShareMilli }},
		{name: "cpu_milli", int: func(j *sim.Job) *int32 { return &j.CPUMilli }},
		{name: "mem_mib", unit: "MiB", int: func(j *sim.Job) *int32 { return &j.MemMiB }},
		{name: gpuMiB, unit: "MiB", int: func(j *sim.Job) *int32 { return &j.GPUMiB }},
		{name: gpuUtil, real: func(j *sim.Job) *float64 { return &j.GPUUtilFrac }},
		{name: "priority", int: func(j *sim.Job) *int32 { return &j.Priority }},
		{name: startUS, unit: "us", time: start},
		{name: machines, text: places},
		{name: "drawn_bits"}, // origin.Field has 16 bits: widened by hand
	}
}
