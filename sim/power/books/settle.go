package books

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/power"
)

// Advance moves the book to an instant; those before change nothing.
func (b *Book) Advance(now sim.Time) {
	for {
		to, due := now, len(b.later) > 0 && b.changeOf(b.later[0]).due <= now
		if due {
			to = b.changeOf(b.later[0]).due
		}
		b.elapse(to)
		if !due {
			return
		}
		b.turn(b.take(0))
	}
}

// elapse lets time pass in which no draw changes.
func (b *Book) elapse(to sim.Time) {
	for b.now < to {
		until := min(to, b.meters.shift)
		t := until - b.now
		b.all.add(b.nw, t)
		b.peak = max(b.peak, b.nw)
		if b.model.Cap != nil && b.nw > b.meters.capNW {
			b.meters.over += t
			b.meters.overE.add(b.nw-b.meters.capNW, t)
		}
		if b.now = until; until == b.meters.shift {
			b.meters.turn(b.model, until, b.all)
		}
	}
}

// settle takes what an account drew up to an instant.
func (a *account) settle(now sim.Time) {
	if t := now - a.at; t > 0 {
		for p := range a.nw {
			a.sum[p].add(a.nw[p], t)
		}
		a.at = now
	}
}

// put changes what a machine, and the cluster, draws in a part.
func (b *Book) put(m *machine, p Part, more int64) {
	m.settle(b.now)
	b.total.settle(b.now)
	m.nw[p] += more
	b.total.nw[p] += more
	b.nw += more
}

// turn lets a change begin now.
func (b *Book) turn(of int32) {
	if of < 0 {
		b.set(^of, b.machines[^of].next)
		return
	}
	j := &b.jobs[of]
	j.sum.add(j.nw, b.now-j.at)
	j.at, j.nw = b.now, 0
	for _, d := range j.draws {
		b.put(&b.machines[d.machine], Busy, -d.nw)
	}
	for i, d := range j.next {
		if d.nw > mostNW-b.total.nw[Busy] {
			b.err = fmt.Errorf("power: the jobs draw more than %g W, which is the most of a cluster", mostNW/1e9)
			j.next = j.next[:i]
			break
		}
		b.put(&b.machines[d.machine], Busy, d.nw)
		j.nw += d.nw
	}
	j.draws, j.next = j.next, j.draws
}

// set moves a machine to a state.
func (b *Book) set(i int32, s power.State) {
	m, spec := &b.machines[i], b.model.Spec(int(i))
	if s == power.Booting && m.state != power.Booting {
		cycle := Energy{}
		cycle.add(nanowatts(spec.CycleJ), sim.Second)
		m.sum[Boot].plus(cycle)
		b.total.sum[Boot].plus(cycle)
		b.all.plus(cycle)
		b.boots++
		m.bootAt = b.now
	}
	if s == power.On && m.state == power.Booting {
		m.readyAt = b.now
	}
	if m.state == power.On && s != power.On {
		b.stops++
	}
	m.state = s
	lo, hi := b.top.MachineGPUs(int(i))
	var to [Busy]int64
	switch s {
	case power.On, power.Stopping:
		to[Idle], to[GPUIdle] = nanowatts(spec.IdleW), int64(hi-lo)*nanowatts(spec.GPUIdleW)
	case power.Booting:
		to[Boot] = nanowatts(spec.BootW)
	default:
		to[Off] = nanowatts(spec.OffW)
	}
	for p, nw := range to {
		b.put(m, Part(p), nw-m.nw[p])
	}
}

// changeOf is the change to come of a place in jobs, or of ^machine.
func (b *Book) changeOf(of int32) *change {
	if of < 0 {
		return &b.machines[^of].change
	}
	return &b.jobs[of].change
}

// replace makes room for a change that begins at an instant: one that began before it begins, a later
// one is forgotten.
func (b *Book) replace(of int32, from sim.Time) {
	switch c := b.changeOf(of); {
	case c.place == 0:
	case c.due < from:
		b.Advance(c.due)
	default:
		b.take(int(c.place - 1))
	}
}

// plan lets a change begin at an instant.
func (b *Book) plan(of int32, from sim.Time) {
	if from <= b.now {
		b.turn(of)
		return
	}
	b.changeOf(of).due = from
	b.later = append(b.later, of)
	b.rise(len(b.later) - 1)
}

// take removes a change from the heap.
func (b *Book) take(i int) (of int32) {
	of = b.later[i]
	n := len(b.later) - 1
	last := b.later[n]
	b.later = b.later[:n]
	b.changeOf(of).place = 0
	if i < n {
		b.later[i] = last
		b.rise(i)
		b.sink(int(b.changeOf(last).place - 1))
	}
	return of
}

// rise and sink move a change to its place in the heap.
func (b *Book) rise(i int) {
	of := b.later[i]
	c := b.changeOf(of)
	for ; i > 0; i = (i - 1) / 2 {
		up := b.later[(i-1)/2]
		if b.changeOf(up).due <= c.due {
			break
		}
		b.later[i] = up
		b.changeOf(up).place = int32(i) + 1
	}
	b.later[i] = of
	c.place = int32(i) + 1
}

func (b *Book) sink(i int) {
	of := b.later[i]
	c := b.changeOf(of)
	for {
		k := 2*i + 1
		if k >= len(b.later) {
			break
		}
		if k+1 < len(b.later) && b.changeOf(b.later[k+1]).due < b.changeOf(b.later[k]).due {
			k++
		}
		if b.changeOf(b.later[k]).due >= c.due {
			break
		}
		b.later[i] = b.later[k]
		b.changeOf(b.later[i]).place = int32(i) + 1
		i = k
	}
	b.later[i] = of
	c.place = int32(i) + 1
}
