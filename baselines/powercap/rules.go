package powercap

import (
	"cmp"
	"slices"
)

// admit marks the jobs that may not run: the newest ones where all at their lowest clocks exceed a
// budget, and then, in their order, starts for which there is no room.
func (p *Policy) admit(budget float64) {
	floor := func(r *run) float64 { return p.jobs[p.slot[r.job]-1].Watts[p.floor()] }
	most, need := budget+1e-9*max(1, budget), 0.0
	p.order = p.order[:0]
	for i := range p.runs {
		if r := &p.runs[i]; !r.start {
			need += floor(r)
			p.order = append(p.order, int32(i))
		}
	}
	stopped := false
	if need > most {
		p.newest()
		for _, i := range p.order {
			if need > most {
				p.runs[i].stop, stopped = true, true
				need -= floor(&p.runs[i])
			}
		}
	}
	full := stopped
	for i := range p.runs {
		r := &p.runs[i]
		if !r.start {
			continue
		}
		w := floor(r)
		switch {
		case !full && need+w <= most:
			need += w
		default:
			r.stop = true
			full = full || !p.pass && w <= most
		}
	}
}

// floor is the lowest clock that jobs may have.
func (p *Policy) floor() int {
	if p.rule == "wait" {
		return len(p.clocks) - 1
	}
	return 0
}

// newest puts the runs in order of their starts, the last first.
func (p *Policy) newest() {
	slices.SortFunc(p.order, func(a, b int32) int {
		x, y := &p.runs[a], &p.runs[b]
		return cmp.Or(cmp.Compare(y.since, x.since), cmp.Compare(y.job, x.job))
	})
}

// choose sets at to the clocks of the jobs that may run (opts): the host's, or lower ones by the rule.
func (p *Policy) choose(budget float64) {
	p.opts, p.at, p.most, p.order = p.opts[:0], p.at[:0], p.most[:0], p.order[:0]
	for i := range p.runs {
		if r := &p.runs[i]; !r.stop {
			p.opts = append(p.opts, p.jobs[p.slot[r.job]-1].Options)
			p.order = append(p.order, int32(i))
			p.at = append(p.at, int32(len(p.clocks)-1))
		}
	}
	p.most = append(p.most, p.at...)
	most := budget + 1e-9*max(1, budget)
	if Total(p.opts, p.at) <= most {
		return
	}
	switch p.rule {
	case "price":
		if _, ok := p.solver.Price(p.opts, budget, p.at); !ok {
			p.all(0) // clocks that cost less than lower ones end above the lowest
		}
		if p.fill {
			fill(p.opts, budget, p.at, p.most)
		}
	case "uniform":
		for k := len(p.clocks) - 2; k >= 0 && Total(p.opts, p.at) > most; k-- {
			p.all(int32(k))
		}
	case "even":
		p.even(most)
	case "newest", "longest":
		p.inTurn(most)
	}
}

// all sets all jobs to one clock.
func (p *Policy) all(k int32) {
	for i := range p.at {
		p.at[i] = k
	}
}

// even gives each job the highest clock whose watts per GPU keep a limit: the highest limit at which
// all keep the budget.
func (p *Policy) even(most float64) {
	per := func(i int, k int32) float64 {
		r := &p.runs[p.order[i]]
		return p.opts[i].Watts[k] / (float64(len(r.gpus)) * float64(r.knobs.ShareMilli))
	}
	p.all(0)
	total := Total(p.opts, p.at)
	for {
		limit := 0.0
		found := false
		for i := range p.at {
			if k := p.at[i]; k < p.most[i] && (!found || per(i, k+1) < limit) {
				limit, found = per(i, k+1), true
			}
		}
		if !found {
			return
		}
		more := 0.0
		for i := range p.at {
			for k := p.at[i]; k < p.most[i] && per(i, k+1) <= limit; k++ {
				more += p.opts[i].Watts[k+1] - p.opts[i].Watts[k]
			}
		}
		if total+more > most {
			return
		}
		total += more
		for i := range p.at {
			for p.at[i] < p.most[i] && per(i, p.at[i]+1) <= limit {
				p.at[i]++
			}
		}
	}
}

// inTurn lowers the clocks of one job after the other.
func (p *Policy) inTurn(most float64) {
	p.place = slices.Grow(p.place[:0], len(p.runs))[:len(p.runs)]
	for i, r := range p.order {
		p.place[r] = int32(i)
	}
	p.newest()
	if p.rule == "longest" {
		slices.Reverse(p.order)
	}
	total := Total(p.opts, p.at)
	for _, r := range p.order {
		i := p.place[r]
		for total > most && p.at[i] > 0 {
			total -= p.opts[i].Watts[p.at[i]] - p.opts[i].Watts[p.at[i]-1]
			p.at[i]--
		}
	}
}
