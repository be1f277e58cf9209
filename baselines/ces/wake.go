package ces

import "tarry/sim"

// wanter is a queue whose jobs do not all wait for machines.
type wanter interface {
	// Wants appends the jobs that do.
	Wants(v *sim.View, dst []sim.JobID) []sim.JobID
}

// count takes stock of what jobs wait for machines.
func (p *Policy) count(v *sim.View) {
	q, ok := p.inner.(wanter)
	if !ok {
		p.wanting, p.asked = p.waiting, p.wants
		return
	}
	if len(p.asked) == 0 {
		p.asked = make([]want, len(p.wants))
	}
	clear(p.asked)
	p.wanted = p.wanted[:0]
	if p.waiting > 0 {
		p.wanted = q.Wants(v, p.wanted)
	}
	for _, j := range p.wanted {
		p.asked[p.typeOf(v, v.Job(j).GPUType())].add(v, j, 1)
	}
	p.wanting = len(p.wanted)
}

// wake wakes machines for jobs that wait, and cordons are lifted when they are up.
func (p *Policy) wake(v *sim.View, started, out []sim.Decision) []sim.Decision {
	if p.wanting == 0 || p.sleeping == 0 {
		return out
	}
	n := p.lack(v, started)
	if n > 0 {
		n += p.rouseMany(v.Now(), len(p.wants)-1, int64(p.spare), 0)
	} else if p.head == len(p.boots) {
		// it is not the number of GPUs: a fault, a host without room, places that do not suit
		for t := range p.wants {
			if n == 0 && p.asked[t].jobs > 0 {
				n += p.rouseMany(v.Now(), t, 1, 0)
			}
		}
	}
	if n > 0 {
		p.book.ups++
		p.book.woken += n
		p.series.stable = p.series.n + p.cfg.keep
	}
	return out
}

// lack wakes machines for the GPUs that waiting jobs want and that are neither free nor about to
// be.
func (p *Policy) lack(v *sim.View, started []sim.Decision) (n int) {
	f := v.Free()
	f.Rollback(0)
	for i := range started {
		for _, g := range started[i].GPUs {
			if f.Has(g) {
				f.Take(g)
			}
		}
	}
	any := len(p.wants) - 1
	spare := int64(0)
	for t := range any {
		gap := p.asked[t].milli - 1000*(int64(f.Type(t).Total())+p.bootGPUs[t])
		if gap > 0 {
			before := p.bootGPUs[t]
			n += p.rouseMany(v.Now(), t, all, gap)
			gap -= 1000 * (p.bootGPUs[t] - before)
		}
		spare += max(0, -gap)
	}
	if gap := p.asked[any].milli - spare; gap > 0 {
		n += p.rouseMany(v.Now(), any, all, gap)
	}
	return n
}

// rouseMany wakes machines of a type, from the lowest up: up to n, and with gap > 0 until they have
// as many thousandths of GPUs.
func (p *Policy) rouseMany(now sim.Time, typ int, n, gap int64) (woken int) {
	any, gaps := typ == len(p.wants)-1, gap > 0
	for m := 0; m < len(p.machines) && p.sleeping > 0 && int64(woken) < n && (!gaps || gap > 0); m++ {
		x := &p.machines[m]
		if x.power != asleep || !any && int(x.typ) != typ {
			continue
		}
		x.power, x.woken, x.up = booting, now, now+p.cfg.boot
		p.sleeping--
		p.bootGPUs[x.typ] += int64(x.gpus)
		p.boots = append(p.boots, int32(m))
		gap -= 1000 * int64(x.gpus)
		woken++
	}
	return woken
}

// doze puts an idle machine to sleep, unless a job uses it after all or it is down.
func (p *Policy) doze(v *sim.View, m int32, out []sim.Decision) ([]sim.Decision, bool) {
	lo, hi := v.Topology().MachineGPUs(int(m))
	up := false
	for g := lo; g < hi; g++ {
		if v.Share(g) > 0 {
			return out, false
		}
		up = up || v.Up(g)
	}
	if !up {
		return out, false
	}
	p.machines[m].power = asleep
	p.sleeping++
	return append(out, sim.Decision{Kind: sim.Cordon, Machine: m}), true
}
