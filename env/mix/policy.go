package mix

import (
	"tarry/baselines/mixture"
	"tarry/baselines/over"
	"tarry/env/schedenv"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Params describes the settings of the policy for the catalogue.
const Params = `members  static rules that take turns, NAME+NAME+...; "NAME:key=value"+... with settings
rule     who has the next turn without weights: turns: all one after the other | demand: the first member while waiting jobs ask for fewer GPUs than there are, the second below twice as many, and so on
every_s  length of a turn, s
weights  a file of tarry export weights of an agent of tarry/Mix-v0:observe=cluster with these members; none`

// The rules without weights.
const (
	byDemand = "demand"
	ruleTurn = "turns"
)

// demanded is the place of the demand among the features.
const demanded = 8

// NewPolicy gives the maker of aset-like: tarry/Mix-v0 as a policy, with a rule or a network that sees
// the cluster in the agent's place (after Castellano et al., IEEE GLOBECOM 2022, of which the abstract
// was read).
//
//  1. At the first instant at or after each multiple of every_s a member is chosen for the turn: by the
//     rule, or by the network's largest answer on the 12 features of the cluster.
//  2. The member decides until the next turn; it takes over the jobs that wait and, if it preempts, the
//     jobs that run.
//
// We differ: there a rule hands requests to nodes at the edge of a network, here it orders a queue.
func NewPolicy(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		c := Config{Members: s.Texts("members", []string{"dally-nowait", "las"}), Observe: true}
		c.Dally.LeaseS = schedenv.Defaults().Cuts.LeaseS
		p := &chooser{inTurn: s.Enum("rule", ruleTurn, byDemand) == ruleTurn}
		c.Every = sim.Seconds(s.Float("every_s", c.Dally.LeaseS/4, 1e-3, 1e9))
		var err error
		if c.takers, err = mixture.Read(parse, c.Members, rule); err != nil {
			s.FaultAt("members", "members: %w", err)
		} else if len(c.takers) < 2 {
			s.FaultAt("members", "members: %d, expected 2 or more", len(c.takers))
		}
		if file := s.Text("weights", "none"); file != "none" {
			p.read(s, file, len(c.takers))
		}
		p.scheduler = newScheduler(&c)
		p.obs = make([]float64, len(schedenv.ClusterFeatures()))
		return p, s.Err()
	}
}

// read takes the network of a file.
func (p *chooser) read(s *param.Set, file string, members int) {
	if s.Has("rule") {
		s.Fault("rule and weights are both given, expected one of them")
	}
	net, err := netfile.Load(file)
	if err != nil {
		s.FaultAt("weights", "%w", err)
		return
	}
	if in := len(schedenv.ClusterFeatures()); net.In() != in || net.Out() != members || len(net.Form().Sizes) != 1 {
		s.FaultAt("weights", "%s: %d numbers and %d choices, expected %d and one for each of %d members of %s", file,
			net.In(), net.Out(), in, members, ID)
		return
	}
	p.net = net
}

// chooser is the members with a rule or a network that names who decides.
type chooser struct {
	*scheduler
	net    *netfile.Net // nil = a rule
	inTurn bool         // the rule is turns
	obs    []float64
	action [1]float64
}

// Decide answers the question of the instant.
func (p *chooser) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	for p.Ask(v) {
		p.choose(v)
		p.Answer(v, p.action[:])
	}
	return p.Finish(v, out)
}

// choose writes the member of the turn.
func (p *chooser) choose(v *sim.View) {
	members := len(p.cfg.Members)
	if p.inTurn && p.net == nil {
		p.action[0] = float64(int(v.Now()/p.cfg.Every) % members)
		return
	}
	p.Observe(v, p.obs, nil)
	if p.net != nil {
		p.net.Act(p.action[:], p.obs, nil)
		return
	}
	d := p.obs[demanded] // x / (1 + x) of x times the cluster, which rounding may leave below a whole x
	p.action[0] = float64(min(members-1, int(d/max(1-d, 1e-9)+1e-9)))
}

// Clone gives an independent copy.
func (p *chooser) Clone() sim.Policy {
	c := *p
	c.scheduler = p.scheduler.Clone().(*scheduler)
	if p.net != nil {
		c.net = p.net.Fork()
	}
	c.obs = make([]float64, len(p.obs))
	return &c
}
