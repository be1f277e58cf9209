package jobcell

import (
	"math"

	"tarry/sim"
	"tarry/traces/columns"
	"tarry/traces/intake"
)

// setters has the reader of each column's cells.
func setters() map[string]setter {
	return map[string]setter{
		"id":            text(func(j *sim.Job) *string { return &j.ID }),
		"submit_s":      (*row).submit,
		"gpus":          needed(1, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.GPUs }),
		"min_gpus":      whole(0, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.MinGPUs }),
		"max_gpus":      whole(0, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.MaxGPUs }),
		"worker_gpus":   whole(0, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.WorkerGPUs }),
		"work_s":        (*row).work,
		"duration_s":    (*row).duration,
		"iterations":    wide(func(j *sim.Job) *int64 { return &j.Iterations }),
		"iter_s":        real(func(j *sim.Job) *float64 { return &j.IterS }),
		"batch_size":    whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.BatchSize }),
		"model":         text(func(j *sim.Job) *string { return &j.Model }),
		"user":          text(func(j *sim.Job) *string { return &j.User }),
		"group":         text(func(j *sim.Job) *string { return &j.Group }),
		"vc":            text(func(j *sim.Job) *string { return &j.VC }),
		"gpu_type":      text(func(j *sim.Job) *string { return &j.GPUType }),
		"state":         text(func(j *sim.Job) *string { return &j.State }),
		"request_s":     (*row).request,
		"deadline_s":    (*row).deadline,
		"share_milli":   whole(0, 1000, func(j *sim.Job) *int32 { return &j.ShareMilli }),
		"cpu_milli":     whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.CPUMilli }),
		"mem_mib":       whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.MemMiB }),
		"gpu_mem_mib":   whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.GPUMiB }),
		"gpu_util_frac": real(func(j *sim.Job) *float64 { return &j.GPUUtilFrac }),
		"priority":      whole(math.MinInt32, math.MaxInt32, func(j *sim.Job) *int32 { return &j.Priority }),
		"log_start_s":   (*row).start,
		"log_machines":  (*row).machines,
		"drawn":         (*row).drawn,
		"drawn_bits":    (*row).drawnBits,
	}
}

// setter reads a cell; a number of a column of times is in the unit.
type setter = func(r *row, v Value, u columns.Unit) (want string)

func text(field func(*sim.Job) *string) setter {
	return func(r *row, v Value, _ columns.Unit) string {
		if v.missing() {
			return ""
		}
		return setName(field(&r.job), v)
	}
}

func needed(lo, hi int64, field func(*sim.Job) *int32) setter {
	return func(r *row, v Value, _ columns.Unit) string {
		n, ok := v.whole()
		if v.missing() || !ok || n < lo || n > hi {
			return between(lo, hi)
		}
		*field(&r.job) = int32(n)
		return ""
	}
}

func whole(lo, hi int64, field func(*sim.Job) *int32) setter {
	set := needed(lo, hi, field)
	return func(r *row, v Value, _ columns.Unit) string {
		if v.missing() {
			return ""
		}
		return set(r, v, 0)
	}
}

func wide(field func(*sim.Job) *int64) setter {
	return func(r *row, v Value, _ columns.Unit) string {
		if v.missing() {
			return ""
		}
		n, ok := v.whole()
		if !ok || n < 0 {
			return between(0, math.MaxInt64)
		}
		*field(&r.job) = n
		return ""
	}
}

func real(field func(*sim.Job) *float64) setter {
	return func(r *row, v Value, _ columns.Unit) string {
		if v.missing() {
			return ""
		}
		f, ok := v.real()
		if !ok || f < 0 {
			return "a number >= 0"
		}
		*field(&r.job) = f
		return ""
	}
}
