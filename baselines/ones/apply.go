package ones

import (
	"math"
	"slices"

	"tarry/baselines/ones/evolve"
	"tarry/sim"
	"tarry/sim/plan"
)

// search looks for the best schedule of a pool, and decides how much of it comes into force: wants
// are the counts that do, target the slots.
func (p *Policy) search(v *sim.View, q *pool) {
	p.limit(v, q)
	q.desc = q.desc[:0]
	for i, l := range q.jobs {
		p.judge(l, q.limits[i])
		d := l.describe(q.limits[i])
		if v.Run(l.job).State() == sim.Running {
			d.Resume = q.has[i]
		} else if v.Run(l.job).State() != sim.Waiting { // it writes its checkpoint
			d.Limit = 0
		}
		q.desc = append(q.desc, d)
	}
	q.target = append(q.target[:0], q.present...)
	if len(q.jobs) > 0 && len(q.slots) > 0 {
		for g := range p.cfg.generations {
			if g > 0 && v.Cancelled() { // one generation gives something to choose from
				break
			}
			q.search.Generation(p.draws, q.desc, q.present)
		}
		q.target = append(q.target[:0], q.search.Best()...)
	}
	q.wants = counts(q.wants, q.target, len(q.jobs))
	if p.ready(v, q) {
		for i, l := range q.jobs {
			if l.ran && q.wants[i] == 0 && v.Run(l.job).State() == sim.Waiting {
				l.resume = l.whole(l.resume / 2)
			}
		}
		return
	}
	p.keep(q)
}

func counts(dst, slots []int32, jobs int) []int32 {
	dst = evolve.Zeros(dst, jobs)
	for _, j := range slots {
		if j != evolve.Idle {
			dst[j]++
		}
	}
	return dst
}

// ready reports whether every running job that the target changes has trained an epoch since it was
// last placed, or is stalled.
func (p *Policy) ready(v *sim.View, q *pool) bool {
	for i, l := range q.jobs {
		if q.has[i] == 0 || l.epoch > l.placed || v.Run(l.job).Speed().Rate == 0 {
			continue
		}
		if q.wants[i] != q.has[i] {
			return false
		}
		if !p.blocks {
			continue
		}
		for k, j := range q.present {
			if j == int32(i) && q.target[k] != j {
				return false
			}
		}
	}
	return true
}

// keep keeps the present schedule, and adds the jobs whose slots in the target are all free. Where
// the counts alone count, as many as there is room for.
func (p *Policy) keep(q *pool) {
	free := int32(0)
	for k, j := range q.present {
		if j == evolve.Idle {
			free++
		} else if t := q.target[k]; t >= 0 && t != j {
			q.desc[t].Limit = -1 // a job is on its slots
		}
	}
	for i, n := range q.wants {
		switch {
		case q.has[i] > 0:
			q.wants[i] = q.has[i]
		case n > free || p.blocks && q.desc[i].Limit < 0:
			q.wants[i] = 0
		default:
			free -= n
		}
	}
	for k, t := range q.target {
		if j := q.present[k]; j != evolve.Idle || t != evolve.Idle && (q.has[t] > 0 || q.wants[t] == 0) {
			q.target[k] = j
		}
	}
}

// isPlain reports whether a job asks for whole GPUs of any type and nothing else: the others are
// apart, but for their type.
func (p *Policy) isPlain() bool { return !p.cfg.near && p.one && len(p.apart) == 0 }

// settle leads to the schedules of the pools.
func (p *Policy) settle(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	if p.blocks {
		out = p.target.Decide(v, p.list(v, &p.pools[0]), out)
		p.late = len(p.target.Late()) > 0
	} else {
		out = p.sizer.Decide(v, p.number(v), out)
		p.late = len(p.sizer.Late()) > 0
	}
	for _, d := range out[n:] {
		out = p.decided(v, d, out)
	}
	return out
}

// list is the schedule as GPUs.
func (p *Policy) list(v *sim.View, q *pool) []plan.Want {
	p.wants, p.store = p.wants[:0], slices.Grow(p.store[:0], len(q.slots)+len(p.of))
	for i, l := range q.jobs {
		if q.wants[i] == 0 {
			continue
		}
		from := len(p.store)
		if q.has[i] == q.wants[i] && same(q, int32(i)) {
			p.wants = append(p.wants, plan.Want{Job: l.job, GPUs: v.Run(l.job).Held()})
			continue
		}
		for k, j := range q.target {
			if j == int32(i) {
				p.store = append(p.store, q.slots[k])
			}
		}
		p.wants = append(p.wants, plan.Want{Job: l.job, GPUs: p.store[from:len(p.store):len(p.store)],
			Knobs: p.knobs(l, q.wants[i])})
	}
	return p.wants
}

// same reports whether a job keeps its slots.
func same(q *pool, i int32) bool {
	for k, j := range q.present {
		if (j == i) != (q.target[k] == i) {
			return false
		}
	}
	return true
}

// number lists the counts of all jobs: jobs apart keep what they have, then come running ones, then
// starting ones, then what is apart and waits.
func (p *Policy) number(v *sim.View) []plan.Count {
	p.counts = p.counts[:0]
	for _, j := range p.apart {
		if v.Run(j).State() == sim.Running {
			p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(len(v.Run(j).Held()))})
		}
	}
	for _, runs := range [...]bool{true, false} {
		for k := range p.pools {
			q := &p.pools[k]
			for i, l := range q.jobs {
				if q.wants[i] == 0 || (q.has[i] > 0) != runs {
					continue
				}
				c := plan.Count{Job: l.job, GPUs: q.wants[i], Type: q.typ}
				if q.wants[i] != q.has[i] {
					c.Knobs = p.knobs(l, c.GPUs)
				}
				p.counts = append(p.counts, c)
			}
		}
	}
	for _, j := range p.apart {
		if v.Run(j).State() == sim.Waiting {
			lo, _ := v.Job(j).Range()
			if n := v.Job(j).GPUs(); v.Free().Total() >= n {
				lo = n
			}
			p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(lo)})
		}
	}
	return p.counts
}

// decided keeps the books of a decision, and asks for the end of the epoch of a job that starts.
func (p *Policy) decided(v *sim.View, d sim.Decision, out []sim.Decision) []sim.Decision {
	l := p.lifeOf(d.Job)
	if l == nil {
		return out
	}
	n := int32(len(d.GPUs))
	switch d.Kind {
	case sim.Start:
		if !l.ran {
			p.remember(l)
		}
		l.ran, l.limit, l.resume = true, n, n
		l.scaled, l.placed, l.through = l.epoch, l.epoch, 0
		return append(out, p.watch(v, l))
	case sim.Resize:
		l.scaled, l.placed, l.limit, l.through = l.epoch, l.epoch, max(l.limit, n), 0
	case sim.Migrate:
		l.placed, l.through = l.epoch, 0
	case sim.Preempt:
		l.resume = l.whole(int32(len(v.Run(d.Job).Held())))
	}
	if l.through == 0 && math.IsInf(l.mark, 1) && d.Kind != sim.Preempt {
		return append(out, p.watch(v, l))
	}
	return out
}
