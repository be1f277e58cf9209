package crossover

import (
	"cmp"
	"fmt"
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// times are the seconds of an iteration that a job computes and exchanges gradients.
type times struct{ compute, exchange float64 }

// host is a running job with the times on its GPUs, its own and others' by kind.
type host struct {
	own    times
	others map[kind]times
}

// kind is what jobs of equal times have in common.
type kind struct {
	model string
	batch int32
}

// saved is the part of the time of two jobs one after the other that they save together: 1 -
// max(c1+c2, c1+m1, c2+m2) / (c1+m1+c2+m2).
func saved(a, b times) float64 {
	both := a.compute + a.exchange + b.compute + b.exchange
	if !(both > 0) {
		return 0
	}
	return 1 - max(a.compute+b.compute, a.compute+a.exchange, b.compute+b.exchange)/both
}

// pair lets jobs that wait join others.
func (p *Policy) pair(v *sim.View, out []sim.Decision) []sim.Decision {
	p.judged.turn(&p.alone, &p.front)
	p.front = append(p.front[:0], p.line[:min(len(p.line), p.window)]...)
	p.lone(v)
	p.weigh(v)
	if p.judged.open = false; len(p.edges) == 0 {
		return out
	}
	p.taken = p.taken[:0]
	n := len(p.alone) + len(p.front)
	p.paired = slices.Grow(p.paired[:0], n)[:n]
	clear(p.paired)
	out = p.match(v, out)
	p.judged.open = slices.ContainsFunc(p.edges, func(e assign.Edge) bool { return !p.paired[e.A] && !p.paired[e.B] })
	at := 0
	mate := func(sim.JobID) bool { at++; return p.paired[at-1] }
	p.alone = slices.DeleteFunc(p.alone, mate)
	p.front = slices.DeleteFunc(p.front, mate)
	return out
}

// match makes pairs of the edges.
func (p *Policy) match(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.greedy {
		p.tried = append(p.tried[:0], p.paired...)
		slices.SortStableFunc(p.edges, func(a, b assign.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
		for _, e := range p.edges {
			if p.tried[e.A] || p.tried[e.B] {
				continue
			}
			out = p.join(v, e.A, e.B-len(p.alone), out)
			p.tried[e.A], p.tried[e.B] = true, true
		}
		return out
	}
	m, err := p.matcher.Solve(len(p.alone)+len(p.front), p.edges, false)
	if err != nil { // weights are finite and ends exist
		v.Fail(fmt.Errorf("crossover: %w", err))
		return out
	}
	for w := range p.front { // in order of arrival
		if h := m.Mate[len(p.alone)+w]; h >= 0 {
			out = p.join(v, h, w, out)
		}
	}
	return out
}

// judged are the jobs that the last search for pairs left without a mate. Unless it is open none of
// them makes a pair with another of them.
type judged struct {
	alone, front []sim.JobID // ascending
	open         bool        // a pair was left that could be made
}

// turn keeps the lists of the last search and gives the others up to be filled anew.
func (q *judged) turn(alone, front *[]sim.JobID) {
	q.alone, *alone = *alone, q.alone
	q.front, *front = *front, q.front
}

// ran reports whether a running job was looked at.
func (q *judged) ran(j sim.JobID) bool { return !q.open && holds(q.alone, j) }

// waited reports whether a waiting job was looked at.
func (q *judged) waited(j sim.JobID) bool { return !q.open && holds(q.front, j) }

func holds(of []sim.JobID, j sim.JobID) bool {
	_, in := slices.BinarySearch(of, j)
	return in
}

// lone lists the running distributed jobs that have whole GPUs alone.
func (p *Policy) lone(v *sim.View) {
	p.alone = p.alone[:0]
	if len(p.front) == 0 {
		return
	}
next:
	for _, j := range v.Running() {
		held := v.Run(j).Held()
		if len(held) < 2 || v.Job(j).Width() < float64(v.Job(j).GPUs()) {
			continue
		}
		for _, g := range held {
			if v.Sharers(g) != 1 || !v.Up(g) {
				continue next
			}
		}
		p.alone = append(p.alone, j)
	}
	slices.Sort(p.alone)
}

// weigh lists the pairs that may be made, with what they save. Two that were looked at before and
// make none do not make one now, unless hosts have more room by now.
func (p *Policy) weigh(v *sim.View) {
	p.edges = p.edges[:0]
	p.fresh = p.fresh[:0]
	for b, w := range p.front {
		d := p.queue.Demand(w)
		if d.CPUMilli|d.MemMiB != 0 || !p.judged.waited(w) {
			p.fresh = append(p.fresh, b)
		}
		p.every = append(p.every[:b], b)
	}
	for a, h := range p.alone {
		front := p.every[:len(p.front)]
		if p.judged.ran(h) {
			front = p.fresh
		}
		for _, b := range front {
			w := p.front[b]
			if len(v.Run(h).Held()) != v.Job(w).GPUs() || !p.fits(v, h, w) {
				continue
			}
			own, other := p.timesOf(v, h, w)
			if s := saved(own, other); s > 0 && s >= p.least {
				p.edges = append(p.edges, assign.Edge{A: a, B: len(p.alone) + b, Weight: s})
			}
		}
	}
}

// fits reports whether a job has type, memory and hosts on the GPUs of another.
func (p *Policy) fits(v *sim.View, h, w sim.JobID) bool {
	gpus, d := v.Run(h).Held(), p.queue.Demand(w)
	if !plan.Joinable(v, w, gpus) {
		return false
	}
	t, need := v.Topology(), int64(v.Job(w).GPUMiB())
	for i := 0; i < len(gpus); {
		m, n := t.Machine(gpus[i]), 0
		for ; i < len(gpus) && t.Machine(gpus[i]) == m; i++ {
			if n++; need > v.GPUMiBFree(gpus[i]) {
				return false
			}
		}
		if d.CPUMilli|d.MemMiB != 0 && p.place.Room(v, m, d) < n {
			return false
		}
	}
	return true
}

// timesOf gives the times of a running job, and of one that waits on its GPUs.
func (p *Policy) timesOf(v *sim.View, h, w sim.JobID) (own, other times) {
	x := p.hosts[h]
	if x == nil {
		x = &host{own: measure(v, h, v.Run(h).Held()), others: map[kind]times{}}
		p.hosts[h] = x
	}
	a := v.Job(w).Public()
	k := kind{a.Model, a.BatchSize}
	other, ok := x.others[k]
	if !ok {
		other = measure(v, w, v.Run(h).Held())
		x.others[k] = other
	}
	return x.own, other
}

// measure asks for the times of a job alone on GPUs.
func measure(v *sim.View, j sim.JobID, gpus []cluster.GPU) times {
	if t, ok := v.TelemetryAt(j, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 1000}, Alone: true}); ok &&
		t.StepS > 0 {
		return times{float64(max(1, t.AccumSteps)) * (t.StepS - t.SyncS), t.SyncS}
	}
	f := v.Predict(j, sim.Placement{GPUs: gpus, Idle: true}).ComputeFrac
	if !(f > 0 && f <= 1) {
		f = 1
	}
	return times{f, 1 - f}
}

// join lets a waiting job share the GPUs of a running one. Of jobs that ask for CPU or memory one
// joins on a machine at an instant.
func (p *Policy) join(v *sim.View, a, b int, out []sim.Decision) []sim.Decision {
	h, w := p.alone[a], p.front[b]
	gpus := v.Run(h).Held()
	if d := p.queue.Demand(w); d.CPUMilli|d.MemMiB != 0 {
		from := len(p.taken)
		for _, g := range gpus {
			m := v.Topology().Machine(g)
			if slices.Contains(p.taken[:from], m) {
				p.taken = p.taken[:from]
				return out
			}
			p.taken = append(p.taken, m)
		}
	}
	p.paired[a], p.paired[len(p.alone)+b] = true, true
	p.queue.Remove(w)
	p.leave(w)
	return plan.Join(v, out, w, gpus)
}
