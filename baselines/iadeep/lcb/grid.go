package lcb

import "math"

// MostPoints bounds a grid.
const MostPoints = 1024

// steps is the most batches of one task.
const steps = 32

// Task is a task whose batch is tuned, in samples per update.
type Task struct {
	// Own is the batch with which the task came, >= 1.
	Own int32
	// Least and Most bound what it may have; 0 = no bound.
	Least, Most int32
}

// bounds is the published range [b/1.5, 2b), the lower end rounded down to an even number, within
// the task's own bounds.
func (t Task) bounds() (lo, hi int32) {
	lo = max(2, int32(float64(t.Own)/1.5)/2*2)
	hi = max(lo, 2*t.Own-1)
	if t.Least > 0 {
		lo = max(lo, t.Least)
	}
	if t.Most > 0 {
		hi = min(hi, t.Most)
	}
	return min(lo, t.Own), max(hi, t.Own)
}

// Grid lists the points of the search, each with a batch per task: the last task's batch moves
// first. It has at most MostPoints points.
func Grid(tasks []Task) [][]int32 {
	if len(tasks) == 0 {
		return nil
	}
	most := steps
	for most > 1 && !within(most, len(tasks)) {
		most--
	}
	points := [][]int32{{}}
	for _, t := range tasks {
		var next [][]int32
		for _, p := range points {
			for _, b := range t.batches(most) {
				next = append(next, append(append(make([]int32, 0, len(tasks)), p...), b))
			}
		}
		points = next
	}
	return points
}

// within reports whether n to the power of k is at most MostPoints.
func within(n, k int) bool {
	for all := 1; k > 0; k-- {
		if all *= n; all > MostPoints {
			return false
		}
	}
	return true
}

// batches are at most so many even steps of a task's range, its lower end the first.
func (t Task) batches(most int) []int32 {
	lo, hi := t.bounds()
	if most == 1 {
		return []int32{t.Own}
	}
	step := max(2, (hi-lo)/int32(most)+1)
	step += step % 2
	var out []int32
	for b := lo; b <= hi; b += step {
		out = append(out, b)
	}
	return out
}

// samples are the points that are measured first, by their place in the grid, each once: those
// nearest to b + 16 (i-3) for the first task, and the same batches in another order for each
// further one, so that no two tasks move together.
func samples(tasks []Task, grid [][]int32) []int {
	var out []int
	for i := range int32(5) {
		best, at := int64(math.MaxInt64), 0
		for k, p := range grid {
			far := int64(0)
			for n, t := range tasks {
				d := int64(p[n]) - int64(t.Own) - 16*int64(i*int32(n+1)%5-3)
				far += d * d
			}
			if far < best {
				best, at = far, k
			}
		}
		seen := false
		for _, k := range out {
			seen = seen || k == at
		}
		if !seen {
			out = append(out, at)
		}
	}
	return out
}
