package allocate

import "slices"

// served gives each job in order its min if that still fits, and with an elastic algorithm what is
// left in passes.
func (a *Allocator) served(jobs []Job, free int, out []int) {
	a.grow = a.grow[:0]
	for n := 0; free > 0; n++ {
		i, ok := a.order.at(n)
		if !ok {
			break
		}
		if j := &jobs[i]; free >= j.Min {
			out[i] = j.Min
			free -= j.Min
			a.grow = append(a.grow, i)
		}
	}
	switch {
	case free == 0 || a.Algorithm != ElasticFIFO && a.Algorithm != ElasticSRJF:
	case a.Corrected:
		passes(jobs, a.grow, free, out)
	default:
		a.publishedPasses(jobs, free, out)
	}
}

// passes gives one step in each pass to each served job below max, in order, while there are GPUs.
func passes(jobs []Job, grow []int32, free int, out []int) {
	for free > 0 && len(grow) > 0 {
		still := grow[:0]
		for _, i := range grow {
			j := &jobs[i]
			if s := j.step(); out[i]+s <= j.Max && s <= free {
				out[i] += s
				free -= s
				still = append(still, i)
			}
		}
		grow = still
	}
}

// publishedPasses gives one GPU in each pass to each job that is below max or not satisfied.
// Satisfied is a job that came to max in a pass, one that did not get its min, and with ElasticFIFO
// one with min = max. It ends when no GPU is left, or when all are satisfied at the begin of a
// pass.
func (a *Allocator) publishedPasses(jobs []Job, free int, out []int) {
	a.unmet = slices.Grow(a.unmet[:0], len(jobs))[:len(jobs)]
	open, grow := 0, a.grow[:0]
	for _, i := range a.order.first(len(jobs)) {
		j := &jobs[i]
		a.unmet[i] = out[i] > 0 && (a.Algorithm == ElasticSRJF || j.Min != j.Max)
		if a.unmet[i] {
			open++
		}
		if a.unmet[i] || out[i] < j.Max {
			grow = append(grow, i)
		}
	}
	a.grow = grow
	for free > 0 && open > 0 {
		still := grow[:0]
		for _, i := range grow {
			if free == 0 {
				return
			}
			out[i]++
			free--
			if out[i] == jobs[i].Max && a.unmet[i] {
				a.unmet[i] = false
				open--
			}
			if a.unmet[i] || out[i] < jobs[i].Max {
				still = append(still, i)
			}
		}
		grow = still
	}
}
