package place

import (
	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedenv/networked"
	"tarry/env/schedenv/protocol"
	"tarry/env/schedenv/sets"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// policyName is the name of the policy in the catalogue.
const policyName = "deepshare"

// Params describes the settings of the policy for the catalogue.
func Params() string {
	return "rule       " + rules().Doc() + `
weights    a file of a network that places in place of a rule (tarry export weights); none
lease_s    unit of the times that a network reads, as in the environment that it was trained in, s; beside weights`
}

// Policy is deepshare: the protocol of the environment with a rule or a network in the agent's place.
//
//  1. The candidates are the first waiting job of each demand that fits, in order of arrival.
//  2. Each has four sets of GPUs.
//  3. The rule or the network starts one of them on one of its sets, until none fits or it stops.
func Policy(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	c := Config{Config: schedenv.Config{Dally: dally.Default()}, Candidates: 3}
	c.rule = rules().Named(s.Enum("rule", rules().Names()...))
	var net *netfile.Net
	net, c.Dally.LeaseS = networked.File(s, c.Dally.LeaseS, netfile.Load, "rule")
	if err := s.Err(); err != nil {
		return nil, err
	}
	if net == nil {
		return c.protocol().Policy(nil, sim.Never)
	}
	c.rule, c.Candidates = nil, max(1, (net.Out()-1)/sets.N)
	return protocol.ByNetwork(c.protocol(), s, net)
}
