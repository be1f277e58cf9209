package sleep

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/power"
)

// look counts machines by what they do, before the decisions of this instant.
func (p *Policy) look(v *sim.View) {
	s, f, now := &p.supply, v.Free(), v.Now()
	clear(s.bootGPUs)
	clear(s.idleGPUs)
	*s = supply{bootGPUs: s.bootGPUs, idleGPUs: s.idleGPUs, running: len(v.Running()) + v.Draining()}
	for m := range p.machines {
		x := &p.machines[m]
		idle := false
		x.off = false
		switch v.Power().State(m) {
		case power.On:
			idle = f.InMachine(m) == int(x.gpus)
			if !idle && holds(v, m) {
				s.used++
			}
		case power.Booting:
			if v.Power().ReadyAt(m) != sim.Never {
				s.boots++
				s.bootGPUs[x.typ] += int64(x.gpus)
			} else {
				s.asleep++
			}
		default:
			x.off = true
			s.asleep++
		}
		switch {
		case !idle:
			x.idle = -1
			continue
		case x.idle < 0:
			x.idle = now
		}
		s.idle++
		s.idleGPUs[x.typ] += int64(x.gpus)
	}
	if s.running > 0 {
		p.quiet = max(p.cfg.trend.History, Warm) + 1
	}
}

// holds reports whether a job has GPUs of a machine.
func holds(v *sim.View, m int) bool {
	lo, hi := v.Topology().MachineGPUs(m)
	for g := lo; g < hi; g++ {
		if v.Share(g) > 0 {
			return true
		}
	}
	return false
}

// sleep puts machines to sleep.
func (p *Policy) sleep(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cfg.rule == ByForecast {
		p.tooMany()
	} else {
		p.idleFor(v.Now())
	}
	for _, m := range p.offs {
		s, x := &p.supply, &p.machines[m]
		x.off, x.idle = true, -1
		s.asleep++
		s.idle--
		s.idleGPUs[x.typ] -= int64(x.gpus)
		out = append(out, sim.Decision{Kind: sim.PowerOff, Machine: m})
	}
	return out
}

// hide takes the GPUs of machines that go to sleep out of the host's sight.
func (p *Policy) hide(v *sim.View) {
	if len(p.offs) == 0 {
		return
	}
	f := v.Free()
	for _, m := range p.offs {
		lo, hi := v.Topology().MachineGPUs(int(m))
		for g := lo; g < hi; g++ {
			f.Take(g)
		}
	}
	f.Hold()
}

// idleFor lists the machines that are idle for so long that they go to sleep, but a buffer: those
// first whose time was over first, of equals the highest.
func (p *Policy) idleFor(now sim.Time) {
	most := p.supply.idle - p.spare
	if most <= 0 {
		return
	}
	for m := len(p.machines) - 1; m >= 0; m-- {
		if x := &p.machines[m]; x.idle >= 0 && x.idle+p.timeouts[m] <= now && !p.demand.wants(x.typ) {
			p.offs = append(p.offs, int32(m))
		}
	}
	if len(p.offs) > most {
		slices.SortStableFunc(p.offs, func(a, b int32) int {
			return cmp.Compare(p.machines[a].idle+p.timeouts[a], p.machines[b].idle+p.timeouts[b])
		})
		p.offs = p.offs[:most]
	}
}

// tooMany lists idle machines, from the highest down, at a tick at which the rule has too many awake.
func (p *Policy) tooMany() {
	if !p.series.ticked {
		return
	}
	p.series.ticked = false
	if p.supply.running == 0 && p.quiet > 0 {
		p.quiet--
	}
	i := p.series.n - 1
	n := p.cfg.trend.Excess(i, p.series.stable, float64(len(p.machines)-p.supply.asleep), p.trend(i))
	for m := len(p.machines) - 1; m >= 0 && n > 0; m-- {
		if x := &p.machines[m]; x.idle >= 0 && !p.demand.wants(x.typ) {
			p.offs = append(p.offs, int32(m))
			n--
		}
	}
}

// trend is what the rule looks at after note i.
func (p *Policy) trend(i int) Trend {
	s := &p.series
	t := Trend{Before: s.mean(i-p.cfg.trend.History, i-1), Now: s.at(i)}
	t.Soon, t.Later = p.ahead()
	return t
}

// ahead is the mean note of the next future ticks and of twice as many.
func (p *Policy) ahead() (soon, later float64) {
	s := &p.series
	i := s.n - 1
	now := s.at(i)
	switch {
	case p.cfg.forecast == "fitted" && p.model.ready():
		return p.model.value(near, now), p.model.value(far, now)
	case p.cfg.forecast == "day" && i >= p.model.day:
		from := i + 1 - p.model.day
		return s.mean(from, from+p.cfg.trend.Future-1), s.mean(from, from+2*p.cfg.trend.Future-1)
	}
	return now, now
}

// follow takes in the host's decisions; it reports whether what is counted holds after them: a job
// that gives up GPUs may have had them with others.
func (p *Policy) follow(v *sim.View, made []sim.Decision) (holds bool) {
	holds = true
	for i := range made {
		switch d := &made[i]; d.Kind {
		case sim.Start:
			if p.demand.jobs[d.Job].queue > 0 {
				p.demand.wait(d.Job)
			}
			p.supply.running++
			p.occupy(v, d)
		case sim.Preempt, sim.Migrate, sim.Resize, sim.Lift, sim.Reject:
			p.demand.touched = append(p.demand.touched, d.Job)
			holds = false
		}
	}
	return holds
}

// occupy counts the machines of a start.
func (p *Policy) occupy(v *sim.View, d *sim.Decision) {
	s := &p.supply
	for _, g := range d.GPUs {
		x := &p.machines[v.Topology().Machine(g)]
		if x.idle < 0 {
			continue
		}
		x.idle = -1
		s.used++
		s.idle--
		s.idleGPUs[x.typ] -= int64(x.gpus)
	}
}

// sleepsAt is when a machine may go to sleep next, as far as that is known.
func (p *Policy) sleepsAt(now sim.Time) sim.Time {
	s, next := &p.supply, sim.Never
	switch {
	case p.cfg.rule == ByForecast:
		if p.spare < len(p.machines) && (s.running > 0 || s.boots > 0 || p.quiet > 0) {
			return p.series.begun + p.cfg.tick
		}
	case s.idle > p.spare:
		for m := range p.machines {
			if x := &p.machines[m]; x.idle >= 0 && !p.demand.wants(x.typ) {
				next = min(next, x.idle+p.timeouts[m])
			}
		}
		next = max(now+1, next)
	}
	return next
}
