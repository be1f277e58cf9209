package place

import (
	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// policyName is the name of the policy in the catalogue.
const policyName = "deepshare"

// Params describes the settings of the policy for the catalogue.
const Params = `rule       first: the first job that fits, packed | spread: on the emptiest machines | pack: on leftovers | quiet: away from jobs over several machines | small: the job with the fewest GPUs, packed`

// Policy is deepshare: the protocol of the environment with a rule in the agent's place.
//
//  1. The candidates are the first waiting job of each demand that fits, in order of arrival.
//  2. Each has four sets of GPUs.
//  3. The rule starts one of them on one of its sets, until none fits.
func Policy(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	r, _ := ruleNamed(s.Enum("rule", ruleNames()...))
	return &ruled{newScheduler(&Config{Config: schedenv.Config{Dally: dally.Default()}, Candidates: 3}), r}, s.Err()
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
