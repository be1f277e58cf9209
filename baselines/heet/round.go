package heet

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// plan decides what every job gets, places it and leads there.
func (p *Policy) plan(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.wants, p.parts, p.waited = p.wants[:0], p.parts[:0], p.waited[:0]
	p.gather(v)
	all := 0
	for r, name := range p.speeds.types {
		if p.left[r] = 0; v.Free().Of(name) != nil {
			p.left[r] = v.Free().Of(name).Total()
		}
		all += p.left[r]
	}
	for i := range p.parts { // in order, as many as fit by number
		if x := &p.parts[i]; x.lo <= all {
			x.selected = true
			all -= x.lo
		}
	}
	p.prices(v)
	p.match(v)
	p.grow(v)
	p.trade(v)
	p.settle(v)
	v.Free().Rollback(0)
	from := len(out)
	out = p.target.Decide(v, p.wants, out)
	p.requeue(v, out[from:])
	return out
}

// gather lists the jobs that take part, in order, and frees what they have. Jobs that are placed by
// themselves keep what they have, or get what they want if it is there.
func (p *Policy) gather(v *sim.View) {
	for _, j := range v.Running() {
		if p.alone(v, j) {
			p.wants = append(p.wants, plan.Want{Job: j, GPUs: v.Run(j).Held()})
			continue
		}
		p.parts = append(p.parts, p.newPart(v, j))
		p.place.Vacate(v, j, p.queue.Demand(j))
	}
	p.queue.Open()
	for need := 0; need < v.Usable(); { // more cannot get GPUs
		j := p.queue.Best()
		if j == sim.NoJob {
			break
		}
		p.queue.Remove(j)
		p.waited = append(p.waited, j)
		if !p.alone(v, j) {
			x := p.newPart(v, j)
			need += x.lo
			p.parts = append(p.parts, x)
		} else if gpus, ok := p.place.Place(v, p.queue.Demand(j)); ok {
			p.wants = append(p.wants, plan.Want{Job: j, GPUs: gpus})
		}
	}
	for i := range p.parts {
		p.parts[i].key = p.key(v, p.parts[i].job)
	}
	slices.SortFunc(p.parts, func(a, b part) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
}

// settle chooses GPUs: jobs whose configuration stays keep theirs, then the largest are placed
// first.
func (p *Policy) settle(v *sim.View) {
	for i := range p.parts {
		if x := &p.parts[i]; x.typ >= 0 && x.typ == x.had && x.n == len(v.Run(x.job).Held()) && p.keep(v, x) {
			x.typ = -1
		}
	}
	p.rows = p.rows[:0]
	for i := range p.parts {
		if p.parts[i].typ >= 0 {
			p.rows = append(p.rows, i)
		}
	}
	slices.SortStableFunc(p.rows, func(a, b int) int { return cmp.Compare(p.parts[b].n, p.parts[a].n) })
	for _, i := range p.rows {
		x := &p.parts[i]
		d := plan.Demand{GPUs: int32(x.n), Type: p.speeds.types[x.typ], ShareMilli: 1000}
		if gpus, ok := p.place.Place(v, &d); ok {
			p.wants = append(p.wants, plan.Want{Job: x.job, GPUs: gpus})
		}
	}
}

// keep leaves a job its GPUs, if they were not given out.
func (p *Policy) keep(v *sim.View, x *part) bool {
	held := v.Run(x.job).Held()
	for _, g := range held {
		if !v.Free().Has(g) {
			return false
		}
	}
	p.wants = append(p.wants, plan.Want{Job: x.job, GPUs: p.place.Given(v, p.queue.Demand(x.job), held)})
	return true
}

// requeue puts the jobs that wait after the decisions back into the queue.
func (p *Policy) requeue(v *sim.View, decided []sim.Decision) {
	for _, j := range p.waited {
		p.queue.Add(v, j, p.key(v, j), 0)
	}
	for i := range decided {
		switch j := decided[i].Job; decided[i].Kind {
		case sim.Start:
			p.queue.Remove(j)
		case sim.Preempt:
			if v.Run(j).CheckpointTime() == 0 { // it waits at once
				p.queue.Add(v, j, p.key(v, j), 0)
			}
		}
	}
}

// wake asks for the next round while one can change something: while jobs wait, and after a change
// while jobs run.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.every == 0 || p.round.At(v.Now()) != sim.Never {
		return out
	}
	// on an idle cluster the jobs that wait cannot be placed: no round changes that
	busy := len(v.Running())+v.Draining()+len(out) > 0
	if busy && (p.queue.Len() > 0 || p.changed) {
		out = p.round.Set(v.Now(), (v.Now()/p.every+1)*p.every, out)
	}
	return out
}
