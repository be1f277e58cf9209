package racks

import (
	"fmt"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/know"
)

// Env is the environment; it is trait.Ruled, too.
type Env struct {
	protocol.Inner
	cfg *Config
}

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Env) Another(p schedenv.Part) (env.Env, error) {
	inner, err := e.On(p)
	if err != nil {
		return nil, err
	}
	return &Env{inner, e.cfg}, nil
}

// Rules are the rules as policies that forward as often.
func (e *Env) Rules() (out []string) {
	for _, name := range rules().Names() {
		out = append(out, fmt.Sprintf("%s:rule=%s,forwards=%d", policyName, name, e.cfg.Forwards))
	}
	return out
}

// ByRules makes the schedulers that answer by the rule, or the draw, of the job.
func (e *Env) ByRules(of []trait.Answer) (sim.Policy, error) {
	c, all := *e.cfg, rules()
	c.rule = &rule{Name: "answers", Knows: know.Speed, Choose: func(s *scheduler, v *sim.View) int {
		if a := of[s.job]; a.Rule >= 0 {
			return all[a.Rule].Choose(s, v)
		}
		return s.drawn(of[s.job].Draw)
	}}
	return c.protocol().Policy(nil, sim.Never)
}

// drawn is a choice of a question by a number in [0, 1), but to wait.
func (s *scheduler) drawn(x float64) int {
	n := len(s.racks)
	for _, gpus := range s.gpus {
		if gpus != nil {
			n++
		}
	}
	k := int(x * float64(n))
	for set, gpus := range s.gpus {
		if gpus == nil {
			continue
		}
		if k == 0 {
			return 1 + set
		}
		k--
	}
	return forward + k
}
