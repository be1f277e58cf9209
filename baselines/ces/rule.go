package ces

import "tarry/sim"

// sleep puts idle machines to sleep.
func (p *Policy) sleep(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cfg.forecast == "none" {
		return p.sleepIdle(v, out)
	}
	if !p.series.ticked {
		return out
	}
	if p.running == 0 && p.quiet > 0 {
		p.quiet--
	}
	if p.wanting > 0 {
		return out
	}
	n := len(p.machines) - p.sleeping - int(p.series.at(p.series.n-1)) - p.spare
	if n <= 0 || p.series.n > warm && !p.falls(float64(n)) {
		return out
	}
	for m := len(p.machines) - 1; m >= 0 && n > 0; m-- {
		if x := &p.machines[m]; x.power != awake || x.jobs > 0 {
			continue
		}
		ok := false
		if out, ok = p.doze(v, int32(m), out); ok {
			n--
		}
	}
	return out
}

// falls is the authors' rule: use has fallen, is forecast to fall on and not to come back, and n
// machines are enough for it.
func (p *Policy) falls(n float64) bool {
	s, c := &p.series, &p.cfg
	i := s.n - 1
	now := s.at(i)
	if s.mean(i-c.history, i-1)-now < c.hisBy {
		return false
	}
	soon, later := p.forecast()
	return now-soon >= c.futBy && i >= s.stable && soon >= later && n >= c.deBy
}

// forecast is the mean note of the next future ticks and of twice as many.
func (p *Policy) forecast() (soon, later float64) {
	s := &p.series
	i := s.n - 1
	now := s.at(i)
	switch {
	case p.cfg.forecast == "fitted" && p.model.ready():
		return p.model.value(near, now), p.model.value(far, now)
	case p.cfg.forecast == "day" && i >= p.model.day:
		from := i + 1 - p.model.day
		return s.mean(from, from+p.cfg.future-1), s.mean(from, from+2*p.cfg.future-1)
	}
	return now, now
}

// sleepIdle puts machines to sleep that are idle for idle_s, those first that are so for longest.
func (p *Policy) sleepIdle(v *sim.View, out []sim.Decision) []sim.Decision {
	n := 0
	for _, r := range p.resting { // the first that is of use
		if p.rests(r) {
			break
		}
		n++
	}
	for idle := p.idle(); p.wanting == 0 && idle > p.spare && n < len(p.resting) &&
		p.resting[n].since+p.cfg.idle <= v.Now(); n++ {
		r := p.resting[n]
		if !p.rests(r) {
			continue
		}
		p.machines[r.machine].listed = -1
		ok := false
		if out, ok = p.doze(v, r.machine, out); ok {
			idle--
		}
	}
	p.resting = append(p.resting[:0], p.resting[n:]...)
	return out
}

// idle is the number of machines that are awake without a job.
func (p *Policy) idle() int { return len(p.machines) - p.sleeping - (len(p.boots) - p.head) - p.used }

// rests reports whether an entry is what its machine does.
func (p *Policy) rests(r rest) bool {
	x := &p.machines[r.machine]
	return x.power == awake && x.jobs == 0 && x.listed == r.since && x.idle == r.since
}

// rest lists an idle machine; one that was taken out of the list begins anew.
func (p *Policy) rest(m int32, now sim.Time) {
	x := &p.machines[m]
	if p.cfg.forecast != "none" || x.power != awake || x.jobs > 0 || x.listed >= 0 && x.listed == x.idle {
		return
	}
	x.idle, x.listed = now, now
	if len(p.resting) >= 2*len(p.machines) {
		kept := p.resting[:0]
		for _, r := range p.resting {
			if r.machine != m && p.rests(r) {
				kept = append(kept, r)
			}
		}
		p.resting = kept
	}
	p.resting = append(p.resting, rest{machine: m, since: now})
}

// due is when a machine may go to sleep next, as far as that is known.
func (p *Policy) due(now sim.Time) sim.Time {
	switch {
	case p.cfg.forecast == "none":
		if p.wanting > 0 || p.idle() <= p.spare {
			return sim.Never
		}
		for _, r := range p.resting {
			if p.rests(r) {
				return max(now+1, r.since+p.cfg.idle)
			}
		}
	case p.spare < len(p.machines) && (p.running > 0 || p.head < len(p.boots) || p.quiet > 0):
		return p.series.begun + p.cfg.tick
	}
	return sim.Never
}
