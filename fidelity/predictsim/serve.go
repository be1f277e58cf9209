package predictsim

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/plan"
)

// candidate is a job that may be backfilled, with its rank.
type candidate struct {
	rank float64
	job  sim.JobID
}

// serve starts jobs in order of arrival until one does not fit, and others behind that.
func (p *Policy) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	if len(p.waiting) == 0 || v.Free().Total() == 0 && !p.queue.Sharing() {
		return out
	}
	n := len(out)
	for _, j := range p.waiting {
		if out = p.start(v, j, out); p.queue.Has(j) {
			out = p.backfill(v, j, out)
			break
		}
	}
	if len(out) > n {
		p.waiting = slices.DeleteFunc(p.waiting, func(j sim.JobID) bool { return !p.queue.Has(j) })
	}
	return out
}

// start starts a job if it fits.
func (p *Policy) start(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if p.late > 0 && p.queue.Demand(j).Milli() > p.free(v) {
		return out
	}
	if out = plan.Start(v, &p.queue, p.place, nil, j, out); p.queue.Has(j) {
		return out
	}
	if n := v.NumJobs(); len(p.began) < n {
		p.began = append(p.began, make([]int64, n-len(p.began))...)
	}
	p.starts++
	p.began[j] = p.starts
	p.ends.Add(j, v.Now(), v.Now()+p.guess.Of(v, j))
	return out
}

// backfill starts other jobs that do not delay the first.
func (p *Policy) backfill(v *sim.View, first sim.JobID, out []sim.Decision) []sim.Decision {
	if v.Free().Total() == 0 && !p.queue.Sharing() {
		return out
	}
	p.head = p.queue.Demand(first)
	p.shadow, p.extra = p.ends.Reserve(v, &p.queue, p.head, p.late)
	p.behind = p.behind[:0]
	for _, j := range p.waiting {
		if j != first && p.queue.Has(j) && p.may(v, j) {
			rank := 0.0
			if p.shortest {
				rank = float64(p.guess.Of(v, j))
			}
			p.behind = append(p.behind, candidate{rank, j})
		}
	}
	slices.SortFunc(p.behind, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.job, y.job))
	})
	for _, x := range p.behind {
		if !p.may(v, x.job) { // what was started since leaves less
			continue
		}
		late := v.Now()+p.guess.Of(v, x.job) > p.shadow
		if out = p.start(v, x.job, out); p.queue.Has(x.job) {
			continue
		}
		if d := p.queue.Demand(x.job); late && backfill.SameGPUs(d, p.head) {
			p.extra -= d.Milli()
		}
	}
	return out
}

// may reports whether a job has the GPUs that it needs, by their number, and would not delay the
// first.
func (p *Policy) may(v *sim.View, j sim.JobID) bool {
	d := p.queue.Demand(j)
	bound := math.Inf(1)
	if backfill.SameGPUs(d, p.head) && d.Milli() > p.extra {
		bound = float64(p.shadow - v.Now())
	}
	return (p.queue.Sharing() || d.Milli() <= p.free(v)) && float64(p.guess.Of(v, j)) <= bound
}
