package inspected

import (
	"errors"
	"fmt"
	"math"

	"tarry/baselines/backfill"
	"tarry/baselines/score"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Params describes the settings of NewPolicy for the catalogue.
const Params = `rule      fixed inspector: wide-and-full: refuse what cannot run, is wider than a quarter of the cluster and was refused
          less than 4320 s | never | full-once | full | always-6-times
base      rule that picks the waiting job: sjf: run time asked for | fcfs | wfp3 | unicep | f1 | f2 | f3 | f4, as the orders
          of picked
backfill  easy: behind a reservation made anew at each event, whose spare GPUs may be used | fcfs: as in picked | none
weights   a file with a network of tarry/Inspect-v0 in place of rule, from tarry export weights; none
refusals  how often a job may be refused; after that it goes
lease_s   unit of the times that a network reads, as in the environment that it was trained in, s; beside weights
wide      with rule=wide-and-full: the part of the cluster that a job must be wider than to be refused
refused_s with rule=wide-and-full: a job that was refused for so long goes, s
score     a file with the score of ranked, which picks in place of base, the least first; none
` + backfill.Params

// NewPolicy makes the policy: a base rule with a fixed inspector. Parameters: Params.
//
//  1. When no job has been let go, the base rule, or the score of a file, picks the waiting job with
//     the least score.
//  2. Let go, it is first: until it fits nothing starts but what is backfilled behind it.
//  3. Refused, nothing starts before the next job arrives or ends, or 600 s are over;
//     then the rule picks anew.
//  4. No job is preempted.
func NewPolicy(s *param.Set, place cluster.Rule) (sim.Policy, error) {
	rule, path := s.Enum("rule", InspectorNames()...), s.Text("weights", noWeights)
	c := &Config{Base: s.Enum("base", "sjf", "fcfs", "wfp3", "unicep", "f1", "f2", "f3", "f4"),
		Fill: s.Enum("backfill", "easy", "fcfs", "none"), By: backfill.ReadGuess(s),
		Refusals: s.Int("refusals", Refusals, 0, MostRefusals), Place: place,
		Lease: sim.Seconds(s.Float("lease_s", 3600, 1, 1e8))}
	i, err := readInspector(s, rule)
	readScore(s, c)
	var net *netfile.Net
	if path != noWeights {
		if s.Has("rule") {
			s.FaultAt("weights", "weights and rule are given, expected one of the two")
		}
		var fault error
		if net, fault = readNet(path); fault != nil {
			s.FaultAt("weights", "%w", fault)
		}
	}
	if path == noWeights && s.Has("lease_s") {
		s.FaultAt("lease_s", "lease_s is given without weights, expected it beside a network")
	}
	if err := errors.Join(s.Err(), err); err != nil {
		return nil, err
	}
	if net != nil {
		return newNetted(c, net)
	}
	return NewRuled(c, i)
}

// readInspector reads the inspector of a name, with its bounds.
func readInspector(s *param.Set, rule string) (Inspector, error) {
	wide, refusedS := s.Float("wide", Wide, 0, 1), s.Float("refused_s", RefusedS, 0, math.Inf(1))
	i, err := InspectorOf(rule)
	if i.Name == WideAndFull(wide, refusedS).Name {
		return WideAndFull(wide, refusedS), err
	}
	for _, key := range []string{"wide", "refused_s"} {
		if s.Has(key) {
			s.FaultAt(key, "%s is given with rule=%s, expected it with rule=wide-and-full alone", key, rule)
		}
	}
	return i, err
}

// readScore reads the score in place of the base rule.
func readScore(s *param.Set, c *Config) {
	path := s.Text("score", noWeights)
	if path == noWeights {
		return
	}
	if s.Has("base") {
		s.FaultAt("score", "score and base are given, expected one of the two")
	}
	var err error
	if c.Score, err = score.Load(path); err != nil {
		s.FaultAt("score", "%w", err)
	}
}

// noWeights is the setting of no file.
const noWeights = "none"

// readNet reads a network that lets go or refuses.
func readNet(path string) (*netfile.Net, error) {
	const choices = 2
	n, err := netfile.Load(path)
	if err == nil && (n.In() != NumJob+NumQueue || n.Out() != choices || n.Masked()) {
		err = fmt.Errorf("%s: %d numbers to %d choices, expected the %d to %d of tarry/Inspect-v0, not masked", path,
			n.In(), n.Out(), NumJob+NumQueue, choices)
	}
	return n, err
}

// netted is a protocol with a network that inspects, as a policy.
type netted struct {
	*Protocol
	net    *netfile.Net
	obs    [NumJob + NumQueue]float64
	action [1]float64
}

func newNetted(c *Config, net *netfile.Net) (sim.Policy, error) {
	p, err := New(c)
	if err != nil {
		return nil, err
	}
	return &netted{Protocol: p, net: net}, nil
}

// Decide implements sim.Policy.
func (n *netted) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n.Begin(v)
	for n.Ask(v) {
		n.Observe(v, n.obs[:])
		n.net.Act(n.action[:], n.obs[:], nil)
		n.Answer(v, n.action[0] == 1)
	}
	return n.Decisions(v, out)
}

// Clone gives an independent copy.
func (n *netted) Clone() sim.Policy { return &netted{Protocol: n.Copied(), net: n.net.Fork()} }

// ruled is a protocol with a fixed inspector, as a policy.
type ruled struct {
	*Protocol
	inspector Inspector
}

// NewRuled makes a policy of a protocol and a fixed inspector.
func NewRuled(c *Config, i Inspector) (sim.Policy, error) {
	p, err := New(c)
	if err != nil {
		return nil, err
	}
	return &ruled{p, i}, nil
}

// Decide implements sim.Policy.
func (r *ruled) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r.Begin(v)
	for r.Ask(v) {
		r.Answer(v, r.inspector.Refuses(r.Question(v)))
	}
	return r.Decisions(v, out)
}

// Clone gives an independent copy.
func (r *ruled) Clone() sim.Policy { return &ruled{r.Copied(), r.inspector} }
