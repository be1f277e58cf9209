package cassini

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is CASSINI over a host. Build it with the maker that Over gives; it belongs to one run.
type Policy struct {
	cfg    config
	host   host
	wake   plan.Alarm
	places places
	align  aligner
	events []sim.Event
	view   sim.View
}

// host is a scheduler that can be copied between two decisions.
type host interface {
	sim.Policy
	Clone() sim.Policy
}

// timerKey is the timer of CASSINI; hosts have smaller ones.
const timerKey = 1000

// Parser makes policies of NAME or NAME:key=value,...
type Parser func(spec string, rule cluster.Rule) (sim.Policy, error)

// Over gives the maker of CASSINI over one of the named hosts, the first by default. The names are of
// policies that look up in the view where their jobs are. Settings: Params.
func Over(parse Parser, names ...string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		spec := s.Text("host", names[0])
		p := &Policy{cfg: newConfig(s), wake: plan.Alarm{Key: timerKey}}
		name, _, _ := strings.Cut(spec, ":")
		if !slices.Contains(names, strings.TrimSpace(name)) {
			s.FaultAt("host", "host is %q, expected one of %s, with its settings or without", name,
				strings.Join(names, ", "))
		} else if of, err := parse(spec, rule); err != nil {
			s.FaultAt("host", "host: %w", err)
		} else if p.host, _ = of.(host); p.host == nil {
			s.FaultAt("host", "host is %s: %w", spec, fmt.Errorf("it cannot be cloned, expected a policy that can"))
		}
		p.align.net.cfg, p.places.cfg, p.places.net.cfg = &p.cfg, &p.cfg, &p.cfg
		return p, s.Err()
	}
}

// Knows is what the host reads, and speeds.
func (p *Policy) Knows() know.Set { return p.host.Knows() | know.Speed }

// Decide lets the host decide, places the jobs that it starts or moves, and aligns jobs a microsecond
// later, when the speed model has all of them.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !v.Links().Phased() {
		return p.host.Decide(v, out)
	}
	rung, from := p.wake.Rung(v.Now()), len(out)
	stirred := rung
	p.events = p.events[:0]
	for _, ev := range v.Events() {
		if ev.Kind == sim.Timer && ev.Key == timerKey {
			continue
		}
		p.events = append(p.events, ev)
		stirred = stirred || ev.Kind == sim.Finish || ev.Kind == sim.Fail || ev.Kind == sim.OutOfMemory
	}
	if len(p.events) > 0 {
		p.view = v.With(p.events)
		out = p.host.Decide(&p.view, out)
		p.view = sim.View{}
	}
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
	c := &Policy{cfg: p.cfg, host: p.host.Clone().(host), wake: p.wake}
	c.align.since = slices.Clone(p.align.since)
	c.align.net.cfg, c.places.cfg, c.places.net.cfg = &c.cfg, &c.cfg, &c.cfg
	return c
}
