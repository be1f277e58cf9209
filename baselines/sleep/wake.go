package sleep

import "tarry/sim"

// wake boots machines for the jobs that want some.
func (p *Policy) wake(v *sim.View, started, out []sim.Decision) []sim.Decision {
	jobs, milli := 0, int64(0)
	for _, w := range p.demand.asked {
		jobs, milli = jobs+w.jobs, milli+w.milli
	}
	since := p.stuck
	p.stuck = sim.Never
	if milli == 0 || p.supply.asleep == 0 || p.cfg.oneBoot && p.supply.boots > 0 {
		return out
	}
	first, any := len(out), len(p.demand.asked)-1
	p.place(v, started)
	gaps := p.gaps(v)
	for t, gap := range gaps {
		if gap > 0 {
			out = p.rouse(t, all, gap, out)
		}
	}
	switch {
	case len(out) > first:
		out = p.rouse(any, p.spare, 0, out)
	case jobs > 0 && p.supply.boots == 0 && p.lacksPlace(v, since):
		for t, w := range p.demand.asked {
			if w.jobs > 0 && len(out) == first {
				out = p.rouse(t, 1, 0, out)
			}
		}
	}
	if n := len(out) - first; n > 0 {
		p.book.ups++
		p.book.woken += n
		p.series.stable = p.series.n + p.cfg.trend.Keep
	}
	return out
}

// place takes the GPUs of the jobs that start now out of the free list.
func (p *Policy) place(v *sim.View, started []sim.Decision) {
	f := v.Free()
	f.Rollback(0)
	for i := range started {
		for _, g := range started[i].GPUs {
			if f.Has(g) {
				f.Take(g)
			}
		}
	}
}

// gaps gives by type, and last of any, the thousandths of GPUs that jobs want and that are neither
// free nor about to be.
func (p *Policy) gaps(v *sim.View) []int64 {
	d, f := &p.demand, v.Free()
	any := len(d.asked) - 1
	if d.gaps == nil {
		d.gaps = make([]int64, len(d.asked))
	}
	for t := range any {
		d.gaps[t] = d.asked[t].milli - 1000*(int64(f.Type(t).Total())+p.supply.bootGPUs[t])
	}
	for _, j := range d.drains {
		share := int64(shareOf(v, j))
		for _, g := range v.Run(j).Held() {
			d.gaps[v.Topology().TypeOf(v.Topology().Machine(g))] -= share
		}
	}
	d.gaps[any] = d.asked[any].milli
	for t := range any { // what one type has too much is for jobs that take any
		if d.gaps[t] < 0 {
			d.gaps[any] += d.gaps[t]
		}
	}
	return d.gaps
}

// lacksPlace reports whether a job that waits has no place although there are GPUs enough: none that
// suits, or the host has not started it for long. since is when that was so first.
func (p *Policy) lacksPlace(v *sim.View, since sim.Time) bool {
	for _, j := range p.demand.wanted {
		if !p.fits(v, j) {
			return true
		}
	}
	p.stuck = min(since, v.Now())
	if p.stuck+p.cfg.patience > v.Now() {
		return false
	}
	p.stuck = v.Now()
	return true
}

// fits reports whether machines awake have room for a job: one machine, or where it wants more GPUs
// than a machine has, machines without a job.
func (p *Policy) fits(v *sim.View, j sim.JobID) bool {
	n, typ := v.Job(j).GPUs(), p.demand.typeOf(v, j)
	largest, idle := 0, int64(0)
	for m := range p.machines {
		x := &p.machines[m]
		if typ == len(p.demand.asked)-1 || int(x.typ) == typ {
			if v.Free().InMachine(m) >= n {
				return true
			}
			largest = max(largest, int(x.gpus))
			if x.idle >= 0 {
				idle += int64(x.gpus)
			}
		}
	}
	return n > largest && idle >= int64(n)
}

// rouse boots machines of a type, or of any with the index after the last, from the lowest up: so
// many, and with gap > 0 until they have so many thousandths of GPUs.
func (p *Policy) rouse(typ, most int, gap int64, out []sim.Decision) []sim.Decision {
	any, gaps := typ == len(p.demand.asked)-1, gap > 0
	for m := 0; m < len(p.machines) && p.supply.asleep > 0 && most > 0 && (!gaps || gap > 0); m++ {
		x := &p.machines[m]
		if !any && int(x.typ) != typ || p.cfg.oneBoot && p.supply.boots > 0 || !x.off {
			continue
		}
		x.off = false
		p.supply.asleep--
		p.supply.boots++
		p.supply.bootGPUs[x.typ] += int64(x.gpus)
		out = append(out, sim.Decision{Kind: sim.PowerOn, Machine: int32(m)})
		gap -= 1000 * int64(x.gpus)
		most--
	}
	return out
}
