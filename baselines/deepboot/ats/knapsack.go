package ats

import "slices"

// Knapsack finds numbers of GPUs of jobs whose values have the largest sum. It keeps memory between answers.
type Knapsack struct {
	best   []float64
	counts []int
}

// Counts gives each job a number of GPUs, 0 or one of 1..len(values[job]), no more than gpus together;
// values[job][w-1] is the value of w GPUs, -Inf where the job cannot have so many, and 0 GPUs have none. Of
// equal sums the jobs, from the last to the first, take the fewest GPUs that explain the sum, and no GPU only
// where no other number does. The answer is valid until the next.
func (k *Knapsack) Counts(values [][]float64, gpus int) []int {
	width := gpus + 1
	k.best = slices.Grow(k.best[:0], (len(values)+1)*width)[:(len(values)+1)*width]
	k.counts = slices.Grow(k.counts[:0], len(values))[:len(values)]
	clear(k.best[:width])
	for i, v := range values {
		was, now := k.best[i*width:(i+1)*width], k.best[(i+1)*width:(i+2)*width]
		for room := range now {
			top := was[room]
			for w := 1; w <= min(room, len(v)); w++ {
				top = max(top, was[room-w]+v[w-1])
			}
			now[room] = top
		}
	}
	room := gpus
	for i := len(values) - 1; i >= 0; i-- {
		was, sum := k.best[i*width:(i+1)*width], k.best[(i+1)*width+room]
		k.counts[i] = 0
		for w := 1; w <= min(room, len(values[i])); w++ {
			if was[room-w]+values[i][w-1] == sum {
				k.counts[i] = w
				room -= w
				break
			}
		}
	}
	return k.counts
}
