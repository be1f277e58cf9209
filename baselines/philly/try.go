package philly

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// try is a job that holds some of its GPUs and waits for the others.
type try struct {
	job   sim.JobID // NoJob = it is over
	level level
	rack  int32
	pins  []int32 // the servers of level servers
	due   sim.Time
	gpus  []cluster.GPU // held
	want  []cluster.GPU // all that it will have, once checkpoints are written; empty = what comes free at its level
}

// back is a job that waits for its next try.
type back struct {
	job   sim.JobID
	until sim.Time
}

// hold begins a try with the GPUs that there are for a job, the first of its line; false if there
// are none. Above its quota by default the try ends at once, so that it counts and nothing stays
// idle.
func (p *Policy) hold(v *sim.View, j sim.JobID, d *demand, open level, within bool) bool {
	f := v.Free().Of(d.Type)
	if f == nil || d.GPUs < 2 || f.Total() == 0 {
		return false
	}
	hold := p.cfg.hold
	if !within && p.cfg.above == retry {
		hold = 0
	}
	h := p.spare()
	h.job, h.level, h.due = j, open, v.Now()+hold
	if !p.aim(v, f, d, h) {
		p.holds = p.holds[:len(p.holds)-1]
		return false
	}
	p.take(j)
	k := &p.kinds[p.jobs[j].kind]
	p.counts.tries++
	p.vcs[k.vc].tries++
	p.vcs[k.vc].add(j, k.milli)
	p.move(j, trying, v.Now())
	if p.settle(); hold == 0 {
		i := p.tryOf(j)
		p.place.Return(v, &d.Demand, p.holds[i].gpus)
		p.fail(i, v.Now())
		p.clean()
	}
	return true
}

// spare gives the next element of holds, with the memory of one that is over.
func (p *Policy) spare() *try {
	if n := len(p.holds); n < cap(p.holds) {
		p.holds = p.holds[:n+1]
	} else {
		p.holds = append(p.holds, try{})
	}
	h := &p.holds[len(p.holds)-1]
	*h = try{pins: h.pins[:0], gpus: h.gpus[:0], want: h.want[:0]}
	return h
}

// settle moves the last of holds to where its job puts it.
func (p *Policy) settle() {
	for i := len(p.holds) - 1; i > 0 && p.holds[i].job < p.holds[i-1].job; i-- {
		p.holds[i], p.holds[i-1] = p.holds[i-1], p.holds[i]
	}
}

// tryOf is the place of a job's try.
func (p *Policy) tryOf(j sim.JobID) int {
	return slices.IndexFunc(p.holds, func(h try) bool { return h.job == j })
}

// clean removes tries that are over, and keeps their memory behind the others.
func (p *Policy) clean() {
	n := 0
	for i := range p.holds {
		if p.holds[i].job != sim.NoJob {
			p.holds[n], p.holds[i] = p.holds[i], p.holds[n]
			n++
		}
	}
	p.holds = p.holds[:n]
}

// aim chooses where a job waits for GPUs, and takes the free GPUs there; false if none are.
func (p *Policy) aim(v *sim.View, f *cluster.Free, d *demand, h *try) bool {
	p.order(v)
	if h.level == anywhere {
		return p.grow(v, f, d, h)
	}
	for _, r := range p.buf.racks {
		if h.rack = r; f.InRack(int(r)) > 0 && p.pin(v, f, d, h) && p.grow(v, f, d, h) {
			return true
		}
	}
	return false
}

// pin chooses the servers of a rack that a job waits for: the ones with most room of as many as may
// hold it; false if the rack can never hold it.
func (p *Policy) pin(v *sim.View, f *cluster.Free, d *demand, h *try) bool {
	t, b := v.Topology(), &p.buf
	lo, hi := t.RackMachines(int(h.rack))
	b.caps, h.pins = b.caps[:0], h.pins[:0]
	for m := lo; m < hi; m++ {
		b.caps = append(b.caps, p.capacity(t, m, d))
	}
	slices.SortFunc(b.caps, func(x, y int32) int { return int(y - x) })
	left := len(b.caps)
	if h.level == servers {
		left = min(left, int(d.fewest))
	}
	sum := int32(0)
	for _, n := range b.caps[:left] {
		sum += n
	}
	if sum < d.GPUs || h.level == rack {
		return sum >= d.GPUs
	}
	for ; left > 0; left-- { // sum is what the servers chosen, and the largest of the others, can hold
		best, most, then := -1, -1, int32(0)
		for m := lo; m < hi; m++ {
			if slices.Contains(h.pins, int32(m)) {
				continue
			}
			n := sum + min(0, p.capacity(t, m, d)-b.caps[left-1])
			if room := min(f.InMachine(m), p.place.Room(v, m, &d.Demand)); n >= d.GPUs && room > most {
				best, most, then = m, room, n
			}
		}
		h.pins = append(h.pins, int32(best))
		i := slices.Index(b.caps, p.capacity(t, best, d))
		b.caps = slices.Delete(b.caps, i, i+1)
		sum = then
	}
	return true
}

// grow takes what is free where a job waits, up to what it needs; false if it holds nothing.
func (p *Policy) grow(v *sim.View, f *cluster.Free, d *demand, h *try) bool {
	b := &p.buf
	b.spots = b.spots[:0]
	switch h.level {
	case servers:
		for _, m := range h.pins {
			b.spots = append(b.spots, spot{m, int32(min(f.InMachine(int(m)), p.place.Room(v, int(m), &d.Demand)))})
		}
	case rack:
		p.spotsOf(v, f, d, h.rack)
	default:
		for _, r := range b.racks {
			p.spotsOf(v, f, d, r)
		}
	}
	for _, s := range b.spots {
		n := min(s.n, d.GPUs-int32(len(h.gpus)))
		if n <= 0 {
			continue
		}
		from := len(h.gpus)
		h.gpus = f.FromMachine(h.gpus, int(s.server), int(n), cluster.BestFit)
		p.place.Given(v, &d.Demand, h.gpus[from:])
	}
	return len(h.gpus) > 0
}

// advance lets the tries of VCs within their quotas, or of the others, have what has come free, and
// starts complete ones, or find room for all they need elsewhere.
func (p *Policy) advance(v *sim.View, within bool, out []sim.Decision) []sim.Decision {
	p.buf.ranked = false
	for p.buf.moved = true; p.buf.moved; {
		p.buf.moved = false
		p.order(v)
		for i := range p.holds {
			j := p.holds[i].job
			if j == sim.NoJob {
				continue
			}
			if c := &p.vcs[p.kinds[p.jobs[j].kind].vc]; within == (c.above() <= 0) {
				out = p.complete(v, i, within, out)
			}
		}
		p.clean()
	}
	return out
}

// complete does so for one try.
func (p *Policy) complete(v *sim.View, i int, within bool, out []sim.Decision) []sim.Decision {
	h := &p.holds[i]
	d := &p.demands[p.kinds[p.jobs[h.job].kind].demand]
	f := v.Free().Of(d.Type)
	switch {
	case len(h.want) > 0:
		if len(h.gpus) < len(h.want) {
			return out
		}
	default:
		p.grow(v, f, d, h)
	}
	if l := p.levelOf(v, &p.jobs[h.job], d); l <= last { // servers may have failed
		h.level = max(h.level, l)
	}
	held := len(h.gpus)
	p.place.Return(v, &d.Demand, h.gpus)
	if held == int(d.GPUs) {
		slices.Sort(h.gpus)
		return p.succeed(v, i, p.place.Given(v, &d.Demand, h.gpus), h.level, out)
	}
	if gpus, l, ok := p.find(v, d, h.level); ok {
		p.buf.moved = true
		return p.succeed(v, i, p.book(v, d, gpus), l, out)
	}
	if within {
		if r := p.reclaim(v, h.job, d, h.level, held); r.ok {
			out = append(out, p.buf.stops...)
			p.buf.moved = true
			h = &p.holds[i]
			h.gpus = h.gpus[:0]
			if r.wait == 0 {
				return p.succeed(v, i, r.gpus, r.level, out)
			}
			p.await(v, h, r)
			return out
		}
	}
	p.place.Given(v, &d.Demand, h.gpus)
	return out
}

// succeed ends a try with a start.
func (p *Policy) succeed(v *sim.View, i int, gpus []cluster.GPU, l level, out []sim.Decision) []sim.Decision {
	j := p.holds[i].job
	p.vcs[p.kinds[p.jobs[j].kind].vc].tries--
	p.holds[i].job = sim.NoJob
	return p.launch(v, j, gpus, l, true, out)
}

// keep takes the GPUs that are held off the free list. GPUs that have failed, or that another job
// has taken, are lost.
func (p *Policy) keep(v *sim.View) {
	for i := range p.holds {
		h := &p.holds[i]
		d := &p.demands[p.kinds[p.jobs[h.job].kind].demand]
		if len(h.want) > 0 {
			if slices.ContainsFunc(h.want, func(g cluster.GPU) bool {
				return !v.Up(g) || v.Share(g) > 0 &&
					v.Run(v.Owner(g)).State() != sim.Draining
			}) {
				p.yield(i, v.Now())
				continue
			}
			h.gpus = append(h.gpus[:0], h.want...)
		}
		n := 0
		for _, g := range h.gpus {
			if v.Up(g) && v.Share(g) == 0 && p.place.Room(v, v.Topology().Machine(g), &d.Demand) > 0 {
				h.gpus[n] = g
				n++
				p.place.Given(v, &d.Demand, h.gpus[n-1:n])
			}
		}
		h.gpus = h.gpus[:n]
	}
	p.clean()
}

// leave takes a job out of its try.
func (p *Policy) leave(i int) sim.JobID {
	j := p.holds[i].job
	k := &p.kinds[p.jobs[j].kind]
	p.vcs[k.vc].sub(j, k.milli)
	p.vcs[k.vc].tries--
	p.holds[i].job = sim.NoJob
	return j
}

// yield ends a try that was disturbed: the job is as before it.
func (p *Policy) yield(i int, now sim.Time) { p.enqueue(p.leave(i), now) }

// fail ends a try in vain: the job backs off.
func (p *Policy) fail(i int, now sim.Time) {
	j := p.leave(i)
	x := &p.jobs[j]
	p.counts.vain++
	if x.tries++; x.tries == p.cfg.tries {
		x.tries = 0
		x.level = min(last, x.level+1)
	}
	if p.cfg.backoff == 0 {
		p.enqueue(j, now)
		return
	}
	p.retreat(j, now, now+p.cfg.backoff)
}

// retreat lets a job wait for its next try.
func (p *Policy) retreat(j sim.JobID, now, until sim.Time) {
	p.move(j, backing, now)
	p.vcs[p.kinds[p.jobs[j].kind].vc].tries++
	p.backs = append(p.backs, back{j, until})
	for i := len(p.backs) - 1; i > 0 && p.backs[i].before(p.backs[i-1]); i-- {
		p.backs[i], p.backs[i-1] = p.backs[i-1], p.backs[i]
	}
}

func (b back) before(o back) bool { return b.until < o.until || b.until == o.until && b.job < o.job }

// expire ends the tries that have lasted hold_s, and brings jobs back that have waited for theirs.
func (p *Policy) expire(v *sim.View) {
	for i := range p.holds {
		if p.holds[i].due <= v.Now() {
			p.fail(i, v.Now())
		}
	}
	p.clean()
	n := 0
	for ; n < len(p.backs) && p.backs[n].until <= v.Now(); n++ {
		j := p.backs[n].job
		p.vcs[p.kinds[p.jobs[j].kind].vc].tries--
		p.enqueue(j, v.Now())
	}
	p.backs = slices.Delete(p.backs, 0, n)
}
