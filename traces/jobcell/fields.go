package jobcell

import (
	"math"
	"strings"

	"tarry/sim"
	"tarry/traces/intake"
)

// Field is one column of a table of jobs.
type Field struct {
	// Name is the name of the column; one that ends in _s may end in _us as well.
	Name string
	// Unit is the unit of its numbers; "" = a count or a name.
	Unit string
	// Doc states in a few words what it means, and what a missing value does.
	Doc string
	// Needed states that a table must have it; of work_s and duration_s it must have exactly one.
	Needed bool

	set func(r *row, v Value, micros bool) (want string)
}

// times reports whether the field is a time that may be in microseconds.
func (f *Field) times() bool {
	return f.Unit == "s" && strings.HasSuffix(f.Name, "_s") && f.Name != "iter_s"
}

// Fields lists the columns in the order of our own CSV, which writes all but duration_s and
// drawn_bits.
func Fields() []Field {
	return []Field{
		{"id", "", "name of the job, unique; without the column it is the number of the row, from 0", false,
			text(func(j *sim.Job) *string { return &j.ID })},
		{"submit_s", "s", "arrival, from the start of the workload, or a wall-clock time", true, (*row).submit},
		{"gpus", "", "GPUs that the job asks for, all at once", true,
			needed(1, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.GPUs })},
		{"min_gpus", "", "least GPUs of an elastic job; 0 = gpus", false,
			whole(0, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.MinGPUs })},
		{"max_gpus", "", "most GPUs of an elastic job; 0 = gpus", false,
			whole(0, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.MaxGPUs })},
		{"worker_gpus", "", "GPUs of one worker, every count is a multiple; 0 = 1", false,
			whole(0, intake.MaxGPUs, func(j *sim.Job) *int32 { return &j.WorkerGPUs })},
		{"work_s", "s", "GPU-seconds of work: time on one whole GPU without communication", false, (*row).work},
		{"duration_s", "s", "in place of work_s: run time on the job's own GPUs, work = duration x gpus x share",
			false, (*row).duration},
		{"iterations", "", "training iterations in the work; 0 = unknown", false,
			wide(func(j *sim.Job) *int64 { return &j.Iterations })},
		{"iter_s", "s", "one iteration on one GPU; 0 = work_s / iterations", false,
			real(func(j *sim.Job) *float64 { return &j.IterS })},
		{"batch_size", "", "the job's own batch in samples; 0 = not known", false,
			whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.BatchSize })},
		{"model", "", "name in the catalogue of models", false, text(func(j *sim.Job) *string { return &j.Model })},
		{"user", "", "owner", false, text(func(j *sim.Job) *string { return &j.User })},
		{"group", "", "the owner's group", false, text(func(j *sim.Job) *string { return &j.Group })},
		{"vc", "", "virtual cluster", false, text(func(j *sim.Job) *string { return &j.VC })},
		{"gpu_type", "", "the only type of GPU that the job runs on; empty = any", false,
			text(func(j *sim.Job) *string { return &j.GPUType })},
		{"state", "", "how the job ended in its trace", false, text(func(j *sim.Job) *string { return &j.State })},
		{"request_s", "s", "run time that the user asked for, on the job's own GPUs; 0 or UNLIMITED = unknown", false,
			(*row).request},
		{"deadline_s", "s", "from the start of the workload, or a wall-clock time where submits are; 0 = none", false,
			(*row).deadline},
		{"share_milli", "1/1000 GPU", "part of one GPU that is asked for; 0 or 1000 = whole", false,
			whole(0, 1000, func(j *sim.Job) *int32 { return &j.ShareMilli })},
		{"cpu_milli", "1/1000 core", "CPU per GPU; 0 = not constrained", false,
			whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.CPUMilli })},
		{"mem_mib", "MiB", "host memory per GPU; 0 = not constrained", false,
			whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.MemMiB })},
		{"gpu_mem_mib", "MiB", "memory that the job needs on each of its GPUs; 0 = not known", false,
			whole(0, math.MaxInt32, func(j *sim.Job) *int32 { return &j.GPUMiB })},
		{"gpu_util_frac", "0..1", "part of the time for which it keeps a GPU busy; 0 = not known", false,
			real(func(j *sim.Job) *float64 { return &j.GPUUtilFrac })},
		{"priority", "", "larger is more urgent; 0 = none", false,
			whole(math.MinInt32, math.MaxInt32, func(j *sim.Job) *int32 { return &j.Priority })},
		{"drawn", "", "fields that a rule filled in, such as model+user", false, (*row).drawn},
		{"drawn_bits", "", "the same as a number: the column of our Parquet", false, (*row).drawnBits},
	}
}

// names lists the columns as errors do.
func names() string {
	fields := Fields()
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name
	}
	return strings.Join(all, ",")
}

type setter = func(*row, Value, bool) string

func text(field func(*sim.Job) *string) setter {
	return func(r *row, v Value, _ bool) string {
		if v.missing() {
			return ""
		}
		return setName(field(&r.job), v)
	}
}

func needed(lo, hi int64, field func(*sim.Job) *int32) setter {
	return func(r *row, v Value, _ bool) string {
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
	return func(r *row, v Value, _ bool) string {
		if v.missing() {
			return ""
		}
		return set(r, v, false)
	}
}

func wide(field func(*sim.Job) *int64) setter {
	return func(r *row, v Value, _ bool) string {
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
	return func(r *row, v Value, _ bool) string {
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
