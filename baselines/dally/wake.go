package dally

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// wake asks for an event at the next instant at which a timer opens a place that is free
// now. When none is free, the event that frees one decides anyway.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if p.cfg.ByEvents {
		at = p.poll(v, out)
	} else {
		for _, c := range p.classes {
			if c.live > 0 {
				at = min(at, p.opens(v, c))
			}
		}
	}
	if s := p.shadow; s != nil && len(s.settling) > 0 {
		at = min(at, max(v.Now()+1, sim.Seconds(s.settling[0])))
	}
	if s := p.shadow; s != nil && len(s.moments) > 0 {
		at = min(at, max(v.Now()+sim.Seconds(2*lateS), sim.Seconds(s.moments[0].at))) // a moment may be to come
	}
	return p.opening.Set(v.Now(), at, out)
}

// opens is when a class's next timer opens a place that is free now.
func (p *Policy) opens(v *sim.View, c *class) sim.Time {
	f, g, now := p.freeFor(v, c), c.gpus, v.Now()
	at := sim.Never
	if p.cfg.Share.Loss > 0 && g <= p.capMach {
		rack, net, until := p.source(c).Timers(g, now)
		if at = c.next(now, p.shareTimer(rack, net)); until > now && p.cfg.Share.At != shareAtOnce {
			at = min(at, until)
		}
	}
	if f == nil || g > f.Total() {
		return at
	}
	rack, net, until := p.source(c).Timers(g, now)
	if c.fits <= cluster.LevelMachine && g <= f.Largest(cluster.LevelRack) {
		at = min(at, c.next(now, rack))
	}
	if c.fits <= cluster.LevelRack {
		at = min(at, c.next(now, net))
	}
	if until > now {
		at = min(at, until)
	}
	return at
}

// next is when the next timer of a length opens.
func (c *class) next(now, timer sim.Time) sim.Time {
	if timer == sim.Never {
		return sim.Never
	}
	since := c.nextAfter(now - timer)
	if since == sim.Never || since > sim.Never-timer {
		return sim.Never
	}
	return since + timer
}

// poll is the look at an otherwise idle cluster when timers are not events.
func (p *Policy) poll(v *sim.View, out []sim.Decision) sim.Time {
	if len(v.Running()) > 0 || v.Draining() > 0 || p.shadow != nil && len(p.shadow.settling) > 0 {
		return sim.Never
	}
	for i := range out {
		if out[i].Kind == sim.Start {
			return sim.Never
		}
	}
	opens := sim.Never
	for _, c := range p.classes {
		if c.live > 0 {
			opens = min(opens, p.opens(v, c))
		}
	}
	if opens == sim.Never { // no look would ever find more
		return sim.Never
	}
	return v.Now() + PollS*sim.Second
}
