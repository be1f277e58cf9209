package allocate

import "math"

// table is the dynamic programme: best[j*(K+1)+k] is the largest sum of speeds of the first j jobs
// on k GPUs, -Inf where there is none; by is the count of the last of them there.
type table struct {
	best []float64
	by   []int32
}

// optimise finds the counts for which the sum of speeds is largest, each kept job within its
// bounds: as published 1 to max for the first K jobs, K = gpus; corrected min to max for the
// longest prefix whose mins fit. Of equal sums the last job in order has the fewest GPUs, then the
// one before it. It costs jobs x gpus x max steps.
func (a *Allocator) optimise(jobs []Job, gpus int, out []int) {
	kept, most := a.kept(jobs, gpus)
	if len(kept) == 0 {
		return
	}
	width := min(gpus, most) + 1 // more than all can use changes nothing
	t := &a.table
	t.open((len(kept) + 1) * width)
	for k := range width {
		t.best[k] = 0
	}
	for n, i := range kept {
		row, next := t.best[n*width:(n+1)*width], t.best[(n+1)*width:(n+2)*width]
		a.extend(&jobs[i], row, next, t.by[(n+1)*width:(n+2)*width])
	}
	last := len(kept)*width + width - 1
	if !(t.best[last] > 0) {
		return // published: panic("infeasible")
	}
	for n := len(kept) - 1; n >= 0; n-- {
		g := int(t.by[last])
		out[kept[n]] = g
		last -= width + g
	}
}

// extend makes the row of the sums with one job more.
func (a *Allocator) extend(j *Job, row, next []float64, by []int32) {
	least, step := 1, 1
	if a.Corrected {
		least, step = j.Min, j.step()
	}
	for k := range next {
		best, at := math.Inf(-1), 0
		for g := least; g <= min(j.Max, k); g += step {
			if p := j.at(g) + row[k-g]; p > best {
				best, at = p, g
			}
		}
		next[k], by[k] = best, int32(at)
	}
}

// kept lists the jobs that get GPUs, and how many they can use together.
func (a *Allocator) kept(jobs []Job, gpus int) (kept []int32, most int) {
	if !a.Corrected {
		kept = a.order.first(min(gpus, len(jobs)))
	} else {
		for n, sum := 0, 0; ; n++ {
			i, ok := a.order.at(n)
			if !ok || sum+jobs[i].Min > gpus {
				kept = a.order.first(n)
				break
			}
			sum += jobs[i].Min
		}
	}
	for _, i := range kept {
		most += jobs[i].Max
	}
	return kept, most
}

func (t *table) open(n int) {
	if n > cap(t.best) {
		t.best, t.by = make([]float64, n), make([]int32, n)
	}
	t.best, t.by = t.best[:n], t.by[:n]
}
