package cassini

import (
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is CASSINI over a host. Build it with the maker that Over gives; it belongs to one run.
type Policy struct {
	cfg    config
	host   over.Host
	wake   plan.Alarm
	places places
	align  aligner
}

// Over gives the maker of CASSINI over one of the named hosts, the first by default. The names are of
// policies that look up in the view where their jobs are. Settings: Params.
func Over(parse over.Parser, names ...string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		host := parse.Read(s, rule, "host", names[0], over.CassiniKey, names...)
		p := &Policy{host: host, cfg: newConfig(s), wake: plan.Alarm{Key: over.CassiniKey}}
		p.align.net.cfg, p.places.cfg, p.places.net.cfg = &p.cfg, &p.cfg, &p.cfg
		return p, s.Err()
	}
}

// Knows is what the host reads, and speeds.
func (p *Policy) Knows() know.Set { return p.host.Reads(know.Speed) }

// Decide lets the host decide, places the jobs that it starts or moves, and aligns jobs a microsecond
// later, when the speed model has all of them.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !v.Links().Phased() {
		return p.host.Decide(v, out)
	}
	rung, from := p.wake.Rung(v.Now()), len(out)
	stirred := rung
	for _, ev := range v.Events() {
		stirred = stirred || ev.Kind == sim.Finish || ev.Kind == sim.Fail || ev.Kind == sim.OutOfMemory
	}
	out = p.host.Ask(v, out)
	switch moves := func(d sim.Decision) bool { return changes(d.Kind) }; {
	case slices.ContainsFunc(out[from:], moves):
		p.places.choose(v, out[from:])
		return p.wake.Set(v.Now(), v.Now()+1, out)
	case stirred && p.cfg.shift:
		return p.align.decide(v, out)
	}
	return out
}

// changes reports whether a decision of a kind changes who crosses which links.
func changes(k sim.DecisionKind) bool {
	return k == sim.Start || k == sim.Migrate || k == sim.Resize || k == sim.Preempt
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{cfg: p.cfg, host: p.host.Copy(), wake: p.wake}
	c.align.since = slices.Clone(p.align.since)
	c.align.net.cfg, c.places.cfg, c.places.net.cfg = &c.cfg, &c.cfg, &c.cfg
	return c
}
