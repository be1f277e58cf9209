package racks

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
const policyName = "marl-like"

// Params describes the settings of the policy for the catalogue.
const Params = `rule       of every scheduler: local: its own rack first, packed, else the freest rack | home: its own rack, or wait | freest: the rack with most free GPUs | spread: as local, on the emptiest machines | quiet: as local, away from jobs over several machines | fastest: as local, where the job is fastest now and meets the fewest jobs
weights    a file of a network that every scheduler asks in place of a rule (tarry export weights); none
lease_s    unit of the times that a network reads, as in the environment that it was trained in, s; beside weights
forwards   how often a job is forwarded at most`

// Policy is marl-like: the schedulers of the environment with a rule or a network in the agents' place.
//
//  1. Job i arrives at the scheduler of rack i mod racks, or the next one whose rack is large enough.
//  2. Of all schedulers that one acts whose job arrived first, until no job has a choice.
//  3. The rule or the network starts the job on one of four sets of GPUs of the rack, forwards it to
//     one of the freest racks that have as many free GPUs, or lets it wait.
func Policy(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	var c Config
	c.rows()
	c.Config = schedenv.Config{Dally: dally.Default()}
	name := s.Enum("rule", ruleNames()...)
	c.Forwards = s.Int("forwards", c.Forwards, 0, most)
	var net *netfile.Net
	if net, c.Dally.LeaseS = networked.File(s, c.Dally.LeaseS, netfile.Load, "rule"); net == nil {
		r, _ := ruleNamed(name)
		return &ruled{newScheduler(&c), r}, s.Err()
	}
	c.Targets = max(1, net.Out()-1-sets)
	if spec := c.spec(""); net.In() != spec.Observation.Len() || net.Out() != 1+c.choices() || !net.Masked() {
		s.FaultAt("weights", "%s has %d inputs and %d outputs, expected a network of %s with %d inputs",
			s.Text("weights", ""), net.In(), net.Out(), ID, spec.Observation.Len())
	}
	if s.Err() != nil {
		return nil, s.Err()
	}
	if err := c.own(); err != nil {
		return nil, err
	}
	return networked.Policy(newScheduler(&c), net, c.spec("")), nil
}

// ruled is the schedulers with a rule.
type ruled struct {
	*scheduler
	rule rule
}

// Knows is what the rule asks for.
func (p *ruled) Knows() know.Set {
	if p.rule.speeds {
		return know.Speed
	}
	return know.Nothing
}

// Decide answers every question of the instant.
func (p *ruled) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	for p.Ask(v) {
		p.choose(v, p.rule.choose(p.scheduler, v))
	}
	return p.Finish(v, out)
}

// Clone gives an independent copy.
func (p *ruled) Clone() sim.Policy { return &ruled{p.scheduler.Clone().(*scheduler), p.rule} }
