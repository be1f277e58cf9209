package racks

import (
	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedenv/networked"
	"tarry/env/schedenv/protocol"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// policyName is the name of the policy in the catalogue.
const policyName = "marl-like"

// Params describes the settings of the policy for the catalogue.
func Params() string {
	return "rule       of every scheduler: " + rules().Doc() + `
weights    a file of a network that every scheduler asks in place of a rule (tarry export weights); none
lease_s    unit of the times that a network reads, as in the environment that it was trained in, s; beside weights
forwards   how often a job is forwarded at most`
}

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
	c.rule = rules().Named(s.Enum("rule", rules().Names()...))
	c.Forwards = s.Int("forwards", c.Forwards, 0, most)
	var net *netfile.Net
	net, c.Dally.LeaseS = networked.File(s, c.Dally.LeaseS, netfile.Load, "rule")
	if err := s.Err(); err != nil {
		return nil, err
	}
	if net == nil {
		return c.protocol().Policy(nil, sim.Never)
	}
	c.rule, c.Targets = nil, min(most, max(1, net.Out()-forward)) // ByNetwork refuses another size
	return protocol.ByNetwork(c.protocol(), s, net)
}
