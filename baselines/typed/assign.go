package typed

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// assign turns the plan into GPUs: jobs that have their type stay, the others get what is free and
// what running jobs give up, then what is being given up already. With regroup a running job that
// is slower than on GPUs close together is placed anew in its turn, and moves if it gets closer.
func (p *Policy) assign(v *sim.View, regroup bool) []plan.Want {
	p.place.Begin(v)
	p.wants = p.wants[:0]
	n := 0
	for _, j := range p.turns {
		if p.stays(v, j) && !(regroup && p.apart(v, j)) {
			p.wants = append(p.wants, plan.Want{Job: j, GPUs: v.Run(j).Held()})
			p.firm[j] = true
			continue
		}
		p.turns[n] = j
		n++
	}
	p.turns = p.turns[:n]
	p.vacate(v, sim.Running)
	p.put(v)
	p.vacate(v, sim.Draining)
	p.put(v)
	if len(p.turns) > 0 {
		p.rest(v)
	}
	for i := range p.wants {
		p.firm[p.wants[i].Job] = false
	}
	return p.wants
}

// put gives the jobs that have a type in the plan GPUs of it, where they are free in the plan.
func (p *Policy) put(v *sim.View) {
	n := 0
	for _, j := range p.turns {
		d := p.books.Demand(j)
		gpus, ok := p.place.OfType(v, max(-1, int(p.to[j])), d)
		if ok && p.stays(v, j) && v.Topology().LevelOf(gpus) >= v.Run(j).Level() {
			p.place.Give(v, gpus, d)
			if gpus = v.Run(j).Held(); !p.place.Stay(v, gpus, d) {
				gpus, ok = p.place.OfType(v, max(-1, int(p.to[j])), d)
			}
		}
		if ok {
			p.wants = append(p.wants, plan.Want{Job: j, GPUs: gpus})
			continue
		}
		p.turns[n] = j
		n++
	}
	p.turns = p.turns[:n]
}

// vacate frees in the plan what running jobs give up, or what is being given up.
func (p *Policy) vacate(v *sim.View, of sim.JobState) {
	for _, j := range p.active {
		if v.Run(j).State() != of || p.firm[j] {
			continue
		}
		if of == sim.Running && !p.stays(v, j) {
			p.by.Enter(v, j)
		}
		p.place.Vacate(v, j, p.books.Demand(j))
	}
}

// apart reports whether a running job is slower than on GPUs of its type close together, by 5 % at
// least.
func (p *Policy) apart(v *sim.View, j sim.JobID) bool {
	k := p.to[j]
	return k >= 0 && v.Run(j).Level() > cluster.LevelMachine &&
		math.Log(v.Run(j).Speed().Rate/v.Job(j).Width()) < p.rate(j, int(k))-0.05
}

// rest gives out what is left where a machine's CPU or memory had no room for a job of the plan: it
// keeps what it has, and all that wait take any pair that fits, GPUs of several types among them.
func (p *Policy) rest(v *sim.View) {
	for _, j := range p.turns {
		p.to[j] = none
		if held := v.Run(j).Held(); v.Run(j).State() == sim.Running && p.place.Stay(v, held, p.books.Demand(j)) {
			p.to[j] = wide
			p.wants = append(p.wants, plan.Want{Job: j, GPUs: held})
		}
	}
	p.pairs = p.pairs[:0]
	for _, j := range p.active {
		if p.to[j] == none && v.Run(j).State() == sim.Waiting {
			from := len(p.pairs)
			p.offer(v, j)
			p.mixed(j, p.pairs[from:])
		}
	}
	p.heapify()
	for len(p.pairs) > 0 && v.Free().Total() > 0 {
		x := p.pop()
		if p.to[x.job] != none {
			continue
		}
		if gpus, ok := p.place.OfType(v, max(-1, int(x.on)), p.books.Demand(x.job)); ok {
			p.to[x.job] = x.on
			p.wants = append(p.wants, plan.Want{Job: x.job, GPUs: gpus})
		}
	}
}

// mixed adds to the pairs of a job the pair with GPUs of several types, which is as good as the worst
// of them: a gang is as fast as its slowest GPU.
func (p *Policy) mixed(j sim.JobID, own []pair) {
	if len(own) == 0 || p.books.Demand(j).Type != "" || p.tooWide(j) {
		return
	}
	worst := slices.MaxFunc(own, func(a, b pair) int { return cmp.Compare(a.score, b.score) })
	p.pairs = append(p.pairs, pair{worst.score, j, wide})
}

// stays reports whether a running job keeps its GPUs.
func (p *Policy) stays(v *sim.View, j sim.JobID) bool {
	if v.Run(j).State() != sim.Running {
		return false
	}
	switch to := p.to[j]; to {
	case none:
		return false
	case wide:
		return true
	default:
		return p.on(v, j, int(to))
	}
}
