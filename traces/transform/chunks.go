package transform

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim"
)

// Chunks rounds the work of every job up to whole chunks of n iterations per GPU, as a
// simulator does that makes progress in such chunks only. The number of iterations asked for stays.
// Jobs whose iterations are not known stay as they are.
func Chunks(w *sim.Workload, n int64) (*sim.Workload, error) {
	if n < 1 {
		return nil, fmt.Errorf("chunks of %d iterations, expected >= 1", n)
	}
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		j := &jobs[i]
		chunk := n * int64(j.GPUs)
		if j.Iterations == 0 || j.Iterations > math.MaxInt64-chunk {
			continue
		}
		whole := (j.Iterations + chunk - 1) / chunk * chunk
		t := j.IterS
		if t == 0 {
			t = j.Work.Seconds() / float64(j.Iterations)
		}
		j.Work, j.IterS = sim.Seconds(float64(t*float64(whole))), t
	}
	return derive(w, jobs, "work", fmt.Sprintf("rounded up to whole chunks of %d iterations per GPU", n))
}
