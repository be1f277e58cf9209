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
//
//  1. Each pair of a job and a GPU type has a score: terms of the job, the logarithm of its speed
//     on the type against its best, the type's scarcity, the job's edge on it.
//  2. All pairs stand by score, the least first; the pair at the front takes its GPUs of the type
//     if they are left, and the job's other pairs are dropped.
//  3. A running job whose type stays keeps its GPUs; with another type it moves; with none it is
//     preempted.
//  4. All is planned anew in rounds and whenever jobs or GPUs come or go.
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
