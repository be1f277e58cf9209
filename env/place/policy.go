package place

import (
	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedenv/networked"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// policyName is the name of the policy in the catalogue.
const policyName = "deepshare"

// Params describes the settings of the policy for the catalogue.
const Params = `rule       first: the first job that fits, packed | spread: on the emptiest machines | pack: on leftovers | quiet: away from jobs over several machines | small: the job with the fewest GPUs, packed
weights    a file of a network that places in place of a rule (tarry export weights); none
lease_s    unit of the times that a network reads, as in the environment that it was trained in, s; beside weights`

// Policy is deepshare: the protocol of the environment with a rule or a network in the agent's place.
//
//  1. The candidates are the first waiting job of each demand that fits, in order of arrival.
//  2. Each has four sets of GPUs.
//  3. The rule or the network starts one of them on one of its sets, until none fits or it stops.
func Policy(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	name := s.Enum("rule", ruleNames()...)
	c := Config{Config: schedenv.Config{Dally: dally.Default()}, Candidates: 3}
	var net *netfile.Net
	if net, c.Dally.LeaseS = networked.File(s, c.Dally.LeaseS, netfile.Load, "rule"); net == nil {
		r, _ := ruleNamed(name)
		return &ruled{newScheduler(&c), r}, s.Err()
	}
	spec := c.spec("")
	if c.Candidates = (net.Out() - 1) / sets; c.Candidates > 0 {
		spec = c.spec("")
	}
	if want := spec.Observation.Len(); net.In() != want || net.Out() != 1+c.Candidates*sets || !net.Masked() {
		s.FaultAt("weights", "%s has %d inputs and %d outputs, expected a network of %s with %d inputs",
			s.Text("weights", ""), net.In(), net.Out(), ID, want)
	}
	if s.Err() != nil {
		return nil, s.Err()
	}
	if err := c.own(); err != nil {
		return nil, err
	}
	return networked.Policy(newScheduler(&c), net, c.spec("")), nil
}

// ruled is the protocol with a rule, which looks at no speeds.
type ruled struct {
	*scheduler
	rule rule
}

// Knows is nothing.
func (*ruled) Knows() know.Set { return know.Nothing }

// Decide answers every question of the instant.
func (p *ruled) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	for p.Ask(v) {
		p.choose(v, p.rule.choose(p.scheduler))
	}
	return p.Finish(v, out)
}

// Clone gives an independent copy.
func (p *ruled) Clone() sim.Policy { return &ruled{p.scheduler.Clone().(*scheduler), p.rule} }
