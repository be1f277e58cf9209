package inspected

import (
	"tarry/baselines/backfill"
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
refusals  how often a job may be refused; after that it goes
` + backfill.Params

// NewPolicy makes the policy: a base rule with a fixed inspector. Parameters: Params.
//
//  1. When no job is held, the base rule picks the waiting job with the least score.
//  2. Let go, it is held: until it fits nothing starts but what is backfilled behind it.
//  3. Refused, nothing is held and nothing starts before the next job arrives or ends, or 600 s are
//     over; then the rule picks anew.
//  4. No job is preempted.
func NewPolicy(s *param.Set, place cluster.Rule) (sim.Policy, error) {
	rule := s.Enum("rule", InspectorNames()...)
	c := &Config{Base: s.Enum("base", "sjf", "fcfs", "wfp3", "unicep", "f1", "f2", "f3", "f4"),
		Fill: s.Enum("backfill", "easy", "fcfs", "none"), By: backfill.ReadGuess(s),
		Refusals: s.Int("refusals", Refusals, 0, MostRefusals), Place: place, Lease: 3600 * sim.Second}
	if err := s.Err(); err != nil {
		return nil, err
	}
	i, err := InspectorOf(rule)
	if err != nil {
		return nil, err
	}
	return NewRuled(c, i)
}

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
