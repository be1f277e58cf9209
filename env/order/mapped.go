package order

import (
	"fmt"

	"tarry/baselines/rltune"
	"tarry/baselines/score"
	"tarry/env/schedenv"
	"tarry/env/schedenv/networked"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// policyName is the name in the catalogue of the policy of places=program.
const policyName = "rltune-like"

// PolicyParams describes the settings of Policy for the catalogue.
func PolicyParams() string {
	return rltune.Params() + `
weights   a file of tarry export weights of an agent of tarry/Order-v0 with places=program, which scores in place of rule; none
median_s  with weights: median of the run times of jobs without a prediction, s
spread    with weights: standard deviation of ln(run time), 0 to 4
predicted with weights: true: jobs have the laws of the run's predictor, where it has one
lease_s   with weights: the unit of time that its agent was trained with, s`
}

// Policy is rltune-like: an order by a rule, or by a network of the environment, and the program's
// places.
//
//  1. Each waiting job has a score, the least first: a rule's, or a network's.
//  2. The program maps the jobs at the front of this order to machines such that the sum of what the
//     jobs that start count is the largest, within free GPUs, CPU and memory.
//  3. Jobs behind the front have the places that are left, in order.
//  4. No job is preempted.
func Policy(s *param.Set, place cluster.Rule) (sim.Policy, error) {
	m := Mapping{Settings: rltune.DefaultSettings(), Place: place}
	m.Rule = rltune.Read(s, &m.Settings)
	file, law, predicted := s.Text("weights", "none"), score.DefaultLaw(), true
	law.MedianS = s.Float("median_s", law.MedianS, 1e-3, 1e12)
	law.Spread = s.Float("spread", law.Spread, 0, 4)
	predicted = s.Bool("predicted", predicted)
	lease := s.Float("lease_s", schedenv.Defaults().Cuts.LeaseS, 1e-3, 1e9)
	if file == "none" {
		for _, key := range []string{"median_s", "spread", "predicted", "lease_s"} {
			if s.Has(key) {
				s.FaultAt(key, "%s belongs to weights, expected neither or both", key)
			}
		}
		if err := s.Err(); err != nil {
			return nil, err
		}
		return rltune.NewPolicy(m.Settings, m.Rule, place), nil
	}
	if s.Has("rule") {
		s.FaultAt("rule", "rule and weights are both given, expected one of them")
	}
	net, err := netfile.Load(file)
	if err != nil {
		s.FaultAt("weights", "%w", err)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	c := Config{Mapping: &m, Rule: &score.Rule{Globals: score.DefaultGlobals(), Law: law}}
	c.Dally.LeaseS = lease
	if predicted {
		c.Rule.Predictor = "any"
	}
	return c.byNet(net, file)
}

// byNet is the policy with a network.
func (c Config) byNet(net *netfile.Net, file string) (sim.Policy, error) {
	f := net.Form()
	if !f.Scores {
		return nil, fmt.Errorf("%s: the network makes choices, expected scores of a list of jobs, of %s", file, ID)
	}
	var err error
	if c.Rule.Func, err = score.New([]string{"rank"}, 0); err != nil {
		return nil, err
	}
	c.Jobs, c.Mapping.Rule.Rule = f.Set.Slots, "fifo" // for a job that waits alone
	spec := c.spec("")
	if net.In() != spec.Observation.Len() || net.Out() != c.Jobs {
		return nil, fmt.Errorf("%s: %d numbers and %d scores, expected %d and %d of %s with places=program", file, net.In(),
			net.Out(), spec.Observation.Len(), c.Jobs, ID)
	}
	if err := c.own(); err != nil {
		return nil, err
	}
	return networked.Policy(newMapper(&c), bounded{net}, c.spec("")), nil
}

// bounded is a network whose scores keep to what an action may be.
type bounded struct{ *netfile.Net }

func (b bounded) Fork() bounded { return bounded{b.Net.Fork()} }

func (b bounded) Act(action, obs []float64, _ []bool) {
	b.Forward(action, obs, nil)
	for i, x := range action {
		action[i] = min(mostScore, max(-mostScore, x))
	}
}
