package nonintrusive

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// entry is a job that the plan gives GPUs.
type entry struct {
	job    sim.JobID
	typ    int // -1: of several types
	lo, hi int
	n, had int // GPUs: planned, and held now; 0 = it waits
	work   float64
	curve  []float64
	next   int     // the next count that gains most for each GPU
	gain   float64 // of it, for each GPU
}

// time is the time left on n GPUs.
func (e *entry) time(n int) float64 {
	if s := speed(e.curve, n); s > 0 {
		return e.work / s
	}
	return math.Inf(1)
}

// allocate fills counts, and reports whether they differ from the running ones.
func (p *Policy) allocate(v *sim.View) (changed bool) {
	copy(p.left, p.up)
	p.admit(v)
	p.grow()
	p.settle()
	p.counts = p.counts[:0]
	for i := range p.active {
		e := &p.active[i]
		p.counts = append(p.counts, plan.Count{Job: e.job, GPUs: int32(e.n)})
		changed = changed || e.n != e.had
	}
	return changed
}

// admit gives running jobs their least count, then waiting ones, the shortest first (step 2).
func (p *Policy) admit(v *sim.View) {
	p.active = p.active[:0]
	p.runs = append(p.runs[:0], v.Running()...)
	slices.Sort(p.runs) // gains that are equal: by arrival
	for _, j := range p.runs {
		e := entry{job: j, had: len(v.Run(j).Held()), typ: p.typeOf(v, j)}
		if e.lo, e.hi = v.Job(j).Range(); e.lo == e.hi {
			e.n = e.had
			if e.typ >= 0 {
				p.left[e.typ] -= int64(e.n)
				p.active = append(p.active, e)
				continue
			}
		}
		e.work = p.work(v, j)
		if e.typ < 0 { // it stays as it is
			e.lo, e.hi, e.n = e.had, e.had, e.had
			for _, g := range v.Run(j).Held() {
				p.left[p.typeAt(v, v.Topology().Machine(g))]--
			}
		} else {
			e.curve = p.curveOf(v, j, e.typ)
			p.least(&e)
			p.left[e.typ] -= int64(e.n)
		}
		p.active = append(p.active, e)
	}
	total := p.total()
	for _, j := range p.waiting {
		if total <= 0 {
			break
		}
		if int64(p.jobs[j].lo) > total {
			continue
		}
		e := p.entry(v, j)
		if e.typ = p.most(v, j); e.typ >= 0 {
			e.curve = p.curveOf(v, j, e.typ)
			p.least(&e)
		}
		switch {
		case e.typ >= 0 && p.left[e.typ] >= int64(e.n):
			p.left[e.typ] -= int64(e.n)
		case p.wide(v, j, e.lo) && p.total() >= int64(e.lo):
			e.typ, e.n, e.hi = -1, e.lo, e.lo
			p.spend(e.n)
		default:
			continue
		}
		if p.jobs[j].low {
			e.hi = e.n
		}
		p.active = append(p.active, e)
		total = p.total()
	}
}

func (p *Policy) entry(v *sim.View, j sim.JobID) entry {
	lo, hi := v.Job(j).Range()
	return entry{job: j, lo: lo, hi: hi, n: lo, work: p.work(v, j)}
}

// curveOf is the curve on a type.
func (p *Policy) curveOf(v *sim.View, j sim.JobID, typ int) []float64 {
	return p.curves.OfType(v, j, v.Topology().Types()[typ])
}

// least starts an entry at the smallest count that its curve has a speed for, from its least on.
func (p *Policy) least(e *entry) {
	e.n = e.lo
	for n := e.lo; n <= e.hi && n < len(e.curve); n++ {
		if e.curve[n] > 0 {
			e.n = n
			return
		}
	}
}

// grow gives what is left over, each step to the job that gains most for each GPU (step 3).
func (p *Policy) grow() {
	for i := range p.active {
		p.look(&p.active[i])
	}
	for {
		best := -1
		for i := range p.active {
			e := &p.active[i]
			if e.gain > 0 && int64(e.next-e.n) > p.left[e.typ] {
				p.look(e) // less is left than it looked for
			}
			if e.gain > 0 && (best < 0 || e.gain > p.active[best].gain) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		e := &p.active[best]
		p.left[e.typ] -= int64(e.next - e.n)
		e.n = e.next
		p.look(e)
	}
}

// look finds the step that gains most for each GPU.
func (p *Policy) look(e *entry) {
	e.gain = 0
	if e.typ < 0 {
		return
	}
	now := e.time(e.n)
	for n := e.n + 1; n <= e.hi && n < len(e.curve) && int64(n-e.n) <= p.left[e.typ]; n++ {
		if e.curve[n] == 0 {
			continue
		}
		if gain := (now - e.time(n)) / float64(n-e.n); gain > e.gain {
			e.next, e.gain = n, gain
		}
	}
}

// settle leaves running jobs as they are where a change gains nothing (step 4): first jobs that
// would grow for too little, then jobs that would shrink for no other, the largest loss first.
func (p *Policy) settle() {
	for i := range p.active {
		if e := &p.active[i]; e.had > 0 && e.n > e.had && e.time(e.had)-e.time(e.n) <= p.restart {
			p.left[e.typ] += int64(e.n - e.had)
			e.n = e.had
		}
	}
	for {
		best, loss := -1, 0.0
		for i := range p.active {
			e := &p.active[i]
			if e.n >= e.had || e.had > e.hi || int64(e.had-e.n) > p.left[max(0, e.typ)] {
				continue
			}
			if l := e.time(e.n) - e.time(e.had); best < 0 || l > loss {
				best, loss = i, l
			}
		}
		if best < 0 {
			return
		}
		e := &p.active[best]
		p.left[e.typ] -= int64(e.had - e.n)
		e.n = e.had
	}
}

// total is what is left of all types.
func (p *Policy) total() (n int64) {
	for _, x := range p.left {
		n += max(0, x)
	}
	return n
}

// spend takes GPUs of any types, most of the type with most left.
func (p *Policy) spend(n int) {
	for ; n > 0; n-- {
		best := 0
		for t, x := range p.left {
			if x > p.left[best] {
				best = t
			}
		}
		p.left[best]--
	}
}

// typeAt is the type of a machine.
func (p *Policy) typeAt(v *sim.View, m int) int {
	return slices.Index(v.Topology().Types(), v.Topology().Type(m))
}

// typeOf is the type of what a job holds; -1 if there are several.
func (p *Policy) typeOf(v *sim.View, j sim.JobID) int {
	if len(p.left) == 1 {
		return 0
	}
	typ, last := -1, -1
	for _, g := range v.Run(j).Held() {
		m := v.Topology().Machine(g)
		if m == last {
			continue
		}
		last = m
		t := p.typeAt(v, m)
		if typ >= 0 && t != typ {
			return -1
		}
		typ = t
	}
	return typ
}

// most is the type with most GPUs left among types that a waiting job accepts, -1 if it accepts
// none.
func (p *Policy) most(v *sim.View, j sim.JobID) int {
	best, types, asks := -1, v.Topology().Types(), v.Job(j).GPUType()
	for t, n := range p.left {
		if (asks == "" || len(types) == 1 || types[t] == asks) && (best < 0 || n > p.left[best]) {
			best = t
		}
	}
	return best
}

// wide reports whether no type alone could ever hold so many GPUs for a job that names none.
func (p *Policy) wide(v *sim.View, j sim.JobID, n int) bool {
	if v.Job(j).GPUType() != "" || len(p.left) == 1 {
		return false
	}
	return int64(n) > slices.Max(p.all)
}
