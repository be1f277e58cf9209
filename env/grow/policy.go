package grow

import (
	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedenv/networked"
	"tarry/env/schedenv/protocol"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// Params describes the settings of dl2 for the catalogue.
const Params = `rule     who gives workers: time: to the least time left, up to the fastest count; time2 | time4 | time8: up to so many
         GPUs | gain: to the largest part of the work left that one more does in a time, for its GPUs |
         fair: to the fewest GPUs | saved: to the most time saved, for its GPUs
weights  a file of tarry export weights of an agent of tarry/Grow-v0, in place of rule; none
jobs     places of the list; with weights the file's
every    time after which GPUs are shared anew though nothing happened, s; 0 = never
lease_s  unit of the times that a network reads, as in the environment that it was trained in, s; beside weights`

// NewPolicy is DL2's protocol over the simulator with a rule or a trained network. Parameters: Params.
//
//  1. When jobs arrive or end, and GPUs fail or come back, all counts begin at 0.
//  2. The rule or the network gives one worker more to a job, its least count if it has none, until it
//     stops or no job may have more.
//  3. plan.Sizer finds the GPUs for the counts with few moves.
func NewPolicy(s *param.Set, place cluster.Rule) (sim.Policy, error) {
	c := Config{Config: schedenv.Config{Dally: dally.Default()}, policy: true, place: place}
	c.Rule = s.Enum("rule", RuleNames()...)
	c.Jobs = s.Int("jobs", 16, 1, 4096)
	c.Every = sim.Seconds(s.Float("every", 0, 0, 1e9))
	var net *netfile.Net
	net, c.Dally.LeaseS = networked.File(s, c.Dally.LeaseS, netfile.Load, "rule", "jobs")
	if err := s.Err(); err != nil {
		return nil, err
	}
	if net == nil {
		return c.protocol().Policy(nil, sim.Never)
	}
	c.Jobs = max(1, net.Out()-1)
	return protocol.ByNetwork(c.protocol(), s, net)
}

// reads is what a job has left and how fast it is: of a policy what it declares itself, of an
// environment what its runs state.
func (c *Config) reads() know.Set {
	k := know.Estimate | know.Done | know.Speed
	if c.policy {
		return k
	}
	return c.Declares(k)
}
