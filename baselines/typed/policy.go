package typed

import (
	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// New reads the settings. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	all := Read(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	return NewPolicy(&all, rule)
}

// NewPolicy makes a policy by its settings.
func NewPolicy(s *Settings, rule cluster.Rule) (*Policy, error) {
	f, err := OwnFunc()
	if err != nil {
		return nil, err
	}
	r := &score.Rule{Func: f, Globals: score.DefaultGlobals(), Law: s.Law}
	if s.Predicted {
		r.Predictor = "any"
	}
	p := &Policy{place: plan.NewPlacer(rule), cfg: config{round: sim.Seconds(s.RoundS), eager: s.Eager}}
	read := ranked.NewReader(r, p.cfg.round)
	read.SetExact(s.Exact)
	p.by = ranked.New(f, read)
	p.SetWeights(s.Weights)
	return p, nil
}
