package sim

// Knobs are what a policy may set of an allocation besides its GPUs. In a Decision a zero leaves a value as it is: that of the present
// allocation, or at a Start the job's own. They are embedded, so that d.ShareMilli is a field of a Decision, q.Batch one of a Query.
type Knobs struct {
	// ShareMilli is the part of each GPU held, in thousandths; the job's own is the whole where the trace says nothing.
	ShareMilli int32
	// FreqFrac is the GPU clock relative to nominal; a job's own is 1.
	FreqFrac float64
	// Batch is the batch size relative to the job's own.
	Batch float64
	// CPUMilli and MemMiB are given per GPU.
	CPUMilli, MemMiB int32
	// Delay holds back the first progress after a grant: a phase shift; 0 = none.
	Delay Time
}

// knobs are those of a Start that sets none.
func (j *Job) knobs() Knobs {
	k := Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1, CPUMilli: j.CPUMilli, MemMiB: j.MemMiB}
	if j.ShareMilli > 0 {
		k.ShareMilli = j.ShareMilli
	}
	return k
}

// knobs are those of an allocation.
func (r *run) knobs() Knobs {
	return Knobs{ShareMilli: r.share, FreqFrac: r.freq, Batch: r.batch, CPUMilli: r.cpu, MemMiB: r.mem}
}

// Knobs are those of the job's present allocation; those of a Start that sets none where it holds no GPUs.
// Delay is always 0: it is over once the allocation runs.
func (v *View) Knobs(j JobID) Knobs {
	r := v.e.of(j)
	if len(r.gpus) == 0 {
		return v.e.job(j).knobs()
	}
	return r.knobs()
}
