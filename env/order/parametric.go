package order

import (
	"fmt"

	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/plan"
)

// parametric is the scheduler with a vector in the agent's place, without observations. From the
// first instant or the first question on it is the function's; questions are not looked for any
// more.
type parametric struct {
	*scheduler
	globals score.Globals
	// whole states that it decides all of a run, as ranked does; else it begins with the first
	// question at or after warm.
	whole bool
	warm  sim.Time
	begun bool
}

// Decide implements sim.Policy.
func (p *parametric) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	if !p.begun && (p.whole || p.Ask(v)) {
		if p.begun = p.whole || v.Now() >= p.warm; p.begun {
			p.play(v, byFunction, &p.globals)
		} else {
			p.play(v, byDally, nil)
		}
	}
	return p.Finish(v, out)
}

// set has the scheduler score by a vector, from its first question at or after warm on.
func (p *parametric) set(c *Config, params []float64, warm sim.Time) {
	n := c.Rule.Func.Len()
	p.globals, p.warm, p.begun = c.globalsOf(params[n:]), warm, false
	p.keys.fn.Func().Set(params[:n])
	p.keys.fn.SetLeast(p.globals.Least)
	p.keys.fn.Forget()
}

// Clone gives an independent copy.
func (p *parametric) Clone() sim.Policy {
	c := *p
	c.scheduler = p.scheduler.Clone().(*scheduler)
	return &c
}

// AsParametric is the scheduler with a vector in the agent's place, as a policy for sim.Run; each
// call gives an independent one.
func (e *Env) AsParametric(params []float64) (sim.Policy, error) {
	if err := e.check(params); err != nil {
		return nil, err
	}
	if e.cfg.Planner != nil {
		return e.planned(params)
	}
	p := &parametric{scheduler: newScheduler(e.cfg), whole: !e.cfg.WarmBase}
	p.set(e.cfg, params, e.cfg.Begins())
	return p, nil
}

// planned is the contest that a vector stands for, with the planner.
func (e *Env) planned(params []float64) (sim.Policy, error) {
	r, err := e.Rule(params)
	if err != nil {
		return nil, err
	}
	plans, d := *e.cfg.Planner, e.cfg.dallyConfig()
	plans.Draws = plans.Draws.Clone()
	return ranked.PlannedByRule(plans, d.Config, r, func(float64) plan.TimerSource { return d.Timers() }), nil
}

// unplanned fails where an agent that answers question by question would need a planner.
type unplanned struct{ sim.Policy }

// Decide implements sim.Policy.
func (unplanned) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	v.Fail(fmt.Errorf("%s: rollout with an agent that answers question by question, expected one that is a vector "+
		"of weights, as of a policy search", ID))
	return out
}

// AsPolicy is schedenv.Env's; with a planner its runs end with an error.
func (e *Env) AsPolicy(act schedenv.Actor) sim.Policy {
	p := e.Env.AsPolicy(act)
	if e.cfg.Planner != nil {
		return unplanned{p}
	}
	return p
}

// check reports whether a vector has the right length.
func (e *Env) check(params []float64) error {
	want := e.cfg.Rule.Func.Len() + e.cfg.numParams()
	if n := len(params); n != want {
		return fmt.Errorf("%s: %d parameters, expected %d", ID, n, want)
	}
	return nil
}
