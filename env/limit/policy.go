package limit

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

// Params describes the settings of Policy for the catalogue.
const Params = `rule     who a worker more goes to without weights: srtf: the least time left | gain: the largest part of its work left that the worker does | fair: the fewest GPUs | fifo: the first arrival | work-2.0 .. work+1.0: the fewest GPUs over a power of the work left
weights  a file of tarry export weights of an agent of tarry/Limit-v0, which chooses jobs and limits; none
jobs     places of the list; more jobs have their least numbers of GPUs
lease_s  unit of the times that a network reads, as in the environment that it was trained in, s; beside weights`

// estimated states that a policy reads estimates, whatever the run makes them of.
func estimated(schedenv.Part, int, string) (sim.Predictor, error) { return nil, nil }

// Policy is decima-like, the protocol of tarry/Limit-v0 as a policy.
//
//  1. When jobs arrive or end and GPUs fail or come back, all GPUs are shared anew.
//  2. A rule shares them worker by worker; the job that gets most of them has the largest limit of 1, 2,
//     3, 4, 6, 8, 12, ... and all GPUs up to its part, and the rest are shared again among the others.
//  3. With weights a network chooses a job and its limit, until no job may have more.
//  4. plan.Sizer finds the GPUs with few moves.
func Policy(s *param.Set, place cluster.Rule) (sim.Policy, error) {
	c := Config{Rule: s.Enum("rule", RuleNames()...), Jobs: s.Int("jobs", 16, 1, 4096), place: place}
	c.Predictor = estimated
	var net *netfile.Net
	net, c.Dally.LeaseS = networked.File(s, dally.Default().LeaseS, netfile.Load, "rule", "jobs")
	if err := s.Err(); err != nil {
		return nil, err
	}
	if net == nil {
		return ByRule(c)
	}
	c.Jobs = max(1, (net.In()-len(c.segments()[0].Features))/rowLen)
	c.limits = net.Out() / c.Jobs
	return protocol.ByNetwork(c.protocol(), s, net)
}
