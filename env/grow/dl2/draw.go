package dl2

import "tarry/sim/rng"

// Kind is a type and the range of its jobs' epochs.
type Kind struct {
	Type
	Least, Most int
}

// Standard are the eight types of the shared reference set, with the range of epochs of its jobs.
// Speeds are in samples/s.
func Standard() []Kind {
	gpu, cpu := Units{2, 4}, Units{2, 0}
	return []Kind{
		{Type{0.45, 0.1, 0.01, 0.004, 115, gpu, cpu}, 450, 2300},
		{Type{0.54, 0.55, 0.03, 0.006, 115, gpu, cpu}, 350, 1700},
		{Type{0.23, 0.02, 0.002, 0.001, 390, gpu, cpu}, 250, 900},
		{Type{0.82, 0.05, 0.006, 0.003, 120, gpu, cpu}, 500, 1200},
		{Type{0.08, 0.04, 0.004, 0.001, 780, gpu, cpu}, 450, 2150},
		{Type{0.59, 0.03, 0.003, 0.002, 193, cpu, cpu}, 440, 1750},
		{Type{0.57, 0.01, 0.002, 0.001, 349, cpu, cpu}, 270, 1200},
		{Type{0.15, 0.08, 0.009, 0.003, 165, gpu, cpu}, 1000, 3000},
	}
}

// Draw appends n jobs: in each slot a Poisson number with the mean perSlot, types and epochs uniform.
func Draw(jobs []Job, kinds []Kind, n int, perSlot float64, r *rng.Stream) []Job {
	at := 0.0
	for i := range n {
		at += r.ExpFloat64() / perSlot
		k := r.IntN(len(kinds))
		jobs = append(jobs, Job{ID: i + 1, Slot: int(at), Type: k,
			Epochs: float64(kinds[k].Least + r.IntN(kinds[k].Most-kinds[k].Least+1))})
	}
	return jobs
}
