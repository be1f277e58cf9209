package optimus

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// share decides how many GPUs each job is to have: the least it can run on, in the order in which
// they came, then one worker after the other to the job that gains most.
func (p *Policy) share(v *sim.View) {
	p.open(v)
	p.give(v, func(i int) bool {
		s := v.Run(p.book[i].job).State()
		return s == sim.Waiting || s == sim.Running
	})
}

// give hands out the pool among the jobs that can have GPUs.
func (p *Policy) give(v *sim.View, can func(i int) bool) {
	if len(p.pos) < len(p.book) {
		p.pos = make([]int32, 2*len(p.book))
		p.heap = plan.NewHeap[float64, int32](p.pos)
	}
	for i := range p.book {
		if l := &p.book[i]; can(i) && p.take(l, l.lo) {
			l.has = l.lo
			p.offer(v, i)
		}
	}
	for p.heap.Len() > 0 {
		id, _, _ := p.heap.First()
		l := &p.book[id]
		if !p.take(l, l.unit) {
			p.heap.Drop(id) // nor will it fit later
			continue
		}
		l.has += l.unit
		p.offer(v, int(id))
	}
}

// open counts the GPUs of each type that are free or held by jobs.
func (p *Policy) open(v *sim.View) {
	v.Free().Rollback(0)
	top := v.Topology()
	types := top.Types()
	p.pool = p.pool[:0]
	for t := range types {
		p.pool = append(p.pool, v.Free().Type(t).Total())
	}
	for i := range p.book {
		l := &p.book[i]
		l.has, l.on = 0, l.typ
		if v.Run(l.job).State() != sim.Running {
			continue
		}
		for _, g := range v.Run(l.job).Held() {
			on := slices.Index(types, top.Type(top.Machine(g)))
			p.pool[on]++
			if l.typ < 0 {
				l.on = on
			}
		}
	}
}

// take takes n GPUs of a job's type off the idle ones; a job of any type begins with the type it
// has, or with the type of which most are left.
func (p *Policy) take(l *life, n int) bool {
	if l.typ < 0 && l.has == 0 && (l.on < 0 || p.pool[l.on] < n || !l.carried(l.on, n)) {
		l.on = slices.Index(p.pool, slices.Max(p.pool))
		for i := range p.pool {
			if l.carried(i, n) && (p.pool[i] > p.pool[l.on] || !l.carried(l.on, n)) {
				l.on = i
			}
		}
	}
	if !l.wide && p.pool[l.on] >= n && l.carried(l.on, n) {
		p.pool[l.on] -= n
		return true
	}
	if l.typ >= 0 || !l.wide {
		return false
	}
	sum := 0
	for _, k := range p.pool {
		sum += k
	}
	if sum < n {
		return false
	}
	for i := range p.pool {
		k := min(n, p.pool[i])
		p.pool[i] -= k
		n -= k
	}
	l.on = -1
	return true
}

// carried reports whether the machines of a type have the CPU and memory for n more GPUs of a job
// than it is to have.
func (l *life) carried(typ, n int) bool { return l.carries == nil || l.carries[typ] >= l.has+n }

// offer puts a job among the jobs that gain by another worker, or takes it out.
func (p *Policy) offer(v *sim.View, i int) {
	l := &p.book[i]
	if !p.oracle && l.measured == nil {
		p.measure(l) // it gets GPUs for the first time
	}
	if g := p.gain(v, l); l.has+l.unit <= l.hi && g > 0 {
		p.heap.Set(int32(i), -g)
		return
	}
	p.heap.Drop(int32(i))
}

// gain is what one more worker takes off the time that is left, per GPU.
func (p *Policy) gain(v *sim.View, l *life) float64 {
	n := l.has + l.unit
	if n > l.hi {
		return 0
	}
	if p.outlook != nil {
		if less, ok := p.outlook.Step(v, l.job, l.has); ok {
			more, _ := p.outlook.Step(v, l.job, n)
			return float64((less - more) * l.left)
		}
	}
	speed := l.speed
	if l.estimate != nil {
		speed = l.estimate
	}
	if !(speed[l.has] > 0) || !(speed[n] > 0) {
		return 0
	}
	return float64((1/speed[l.has] - 1/speed[n]) * l.left / float64(l.unit))
}
