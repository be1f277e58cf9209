package columns

// Field is one column of a table of jobs.
type Field struct {
	// Name is the name of the column; a time in _s may have another unit or none, as Spellings lists.
	Name string
	// Unit is the unit of its numbers; "" = a count or a name.
	Unit string
	// Doc states in a few words what it means, and what a missing value does.
	Doc string
	// Needed states that a table must have it; of work_s and duration_s it must have exactly one.
	Needed bool
}

// Fields lists the columns in the order of our own CSV, which writes all but duration_s and
// drawn_bits.
func Fields() []Field {
	return []Field{
		{"id", "", "name of the job, unique; without the column it is the number of the row, from 0", false},
		{"submit_s", "s", "arrival, from the start of the workload, or a wall-clock time", true},
		{"gpus", "", "GPUs that the job asks for, all at once", true},
		{"min_gpus", "", "least GPUs of an elastic job; 0 = gpus", false},
		{"max_gpus", "", "most GPUs of an elastic job; 0 = gpus", false},
		{"worker_gpus", "", "GPUs of one worker, every count is a multiple; 0 = 1", false},
		{"work_s", "s", "GPU-seconds of work: time on one whole GPU without communication", false},
		{"duration_s", "s", "in place of work_s: run time on the job's own GPUs, work = duration x gpus x share",
			false},
		{"iterations", "", "training iterations in the work; 0 = unknown", false},
		{"iter_s", "s", "one iteration on one GPU; 0 = work_s / iterations", false},
		{"batch_size", "", "the job's own batch in samples; 0 = not known", false},
		{"model", "", "name in the catalogue of models", false},
		{"user", "", "owner", false},
		{"group", "", "the owner's group", false},
		{"vc", "", "virtual cluster", false},
		{"gpu_type", "", "the only type of GPU that the job runs on; empty = any", false},
		{"state", "", "how the job ended in its trace", false},
		{"request_s", "s", "run time that the user asked for, on the job's own GPUs; 0 or UNLIMITED = unknown",
			false},
		{"deadline_s", "s", "from the start of the workload, or a wall-clock time where submits are; 0 = none",
			false},
		{"share_milli", "1/1000 GPU", "part of one GPU that is asked for; 0 or 1000 = whole", false},
		{"cpu_milli", "1/1000 core", "CPU per GPU; 0 = not constrained", false},
		{"mem_mib", "MiB", "host memory per GPU; 0 = not constrained", false},
		{"gpu_mem_mib", "MiB", "memory that the job needs on each of its GPUs; 0 = not known", false},
		{"gpu_util_frac", "0..1", "part of the time for which it keeps a GPU busy; 0 = not known", false},
		{"priority", "", "larger is more urgent; 0 = none", false},
		{"log_start_s", "s", "start in the trace, on the clock of submit_s; empty or negative = unknown", false},
		{"log_machines", "", "its machines then: names such as a,b[3-5], with NAME*4 for 4 GPUs", false},
		{"drawn", "", "fields that a rule filled in, such as model+user", false},
		{"drawn_bits", "", "the same as a number: the column of our Parquet", false},
	}
}
