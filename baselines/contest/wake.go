package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// wake asks for an event at the next instant at which a timer opens a place that is free
// now, or a checkpoint comes that is waited for. When none is free, the event that frees one decides
// anyway.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if p.cfg.ByEvents {
		at = p.poll(v, out)
	} else {
		at = p.openings(v)
	}
	if p.cfg.Clock != nil {
		at = min(at, p.cfg.Clock.Next(v.Now()))
	}
	if p.evicts.hold > v.Now() {
		at = min(at, p.evicts.hold)
	}
	return p.opening.Set(v.Now(), at, out)
}

// openings is when the next timer opens a place that is free now.
func (p *Policy) openings(v *sim.View) sim.Time {
	at, total, shares := sim.Never, v.Free().Total(), p.cfg.Sharing != nil
	if total == 0 && !shares {
		return at
	}
	for _, c := range p.classes {
		if c.Live > 0 && (c.GPUs <= total || shares) {
			at = min(at, p.opens(v, c))
		}
	}
	return at
}

// opens is when a class's next timer opens a place that is free now.
func (p *Policy) opens(v *sim.View, c *Class) sim.Time {
	f, g, now := p.FreeFor(v, c), c.GPUs, v.Now()
	at := sim.Never
	if p.cfg.Sharing != nil {
		at = p.cfg.Sharing.Opens(p, v, c)
	}
	if f == nil || g > f.Total() {
		return at
	}
	rack, net, until := p.Source(c).Timers(g, now)
	if c.Fits <= cluster.LevelMachine && g <= f.Largest(cluster.LevelRack) {
		at = min(at, c.Next(now, rack))
	}
	if c.Fits <= cluster.LevelRack {
		at = min(at, c.Next(now, net))
	}
	if until > now {
		at = min(at, until)
	}
	return at
}

// Next is when the next timer of a length opens.
func (c *Class) Next(now, timer sim.Time) sim.Time {
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
	if len(v.Running()) > 0 || v.Draining() > 0 || p.cfg.Clock != nil && p.cfg.Clock.Busy() {
		return sim.Never
	}
	for i := range out {
		if out[i].Kind == sim.Start {
			return sim.Never
		}
	}
	if p.openings(v) == sim.Never { // no look would ever find more
		return sim.Never
	}
	return v.Now() + pollS*sim.Second
}
