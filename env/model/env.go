package model

import (
	"fmt"
	"math"

	"tarry/env"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Env plays episodes of a Model. Once warm a step allocates nothing.
type Env[M Model] struct {
	cfg   Config[M]
	spec  env.Spec
	model M

	stream *rng.Stream // draws windows; nil before the first reset
	window int         // of the episode
	begun  bool        // an episode began
	live   bool        // a question is pending
	closed bool

	rule   int // of cfg.Rules, that is followed; -1 = none
	decide func(m M, action []float64)
	advice []float64 // its answer to the pending question

	log     []float64 // the actions of the episode
	obs     []float64
	mask    []bool
	metrics []float64
	last    env.Step
}

// Spec describes the environment.
func (e *Env[M]) Spec() *env.Spec { return &e.spec }

// Model is the model, to look at between calls.
func (e *Env[M]) Model() M { return e.model }

// Place implements trait.Placed.
func (e *Env[M]) Place(obs []float64) { e.obs = obs }

// Close ends its use.
func (e *Env[M]) Close() error {
	e.closed, e.live, e.begun = true, false, false
	return nil
}

// Reset starts an episode on a window drawn from the part, or on window=N of it.
func (e *Env[M]) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	e.live = false
	if e.closed {
		return nil, env.Info{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrClosed)
	}
	s := param.Parse(e.spec.ID+" reset", options)
	given, number := s.Has("window"), s.Int("window", 0, 0, e.cfg.Windows-1)
	if err := s.Err(); err != nil {
		e.begun = false
		return nil, env.Info{}, err
	}
	switch {
	case seed != nil:
		e.stream = rng.Source{Seed: *seed}.Stream("windows")
	case e.stream == nil:
		e.stream = rng.Source{}.Stream("windows")
	}
	if drawn := e.stream.IntN(e.cfg.Windows); !given { // drawn in any case: the stream moves on
		number = drawn
	}
	if err := e.start(number); err != nil {
		return nil, env.Info{}, err
	}
	return e.obs, e.last.Info, nil
}

// start begins an episode on a window.
func (e *Env[M]) start(window int) error {
	e.begun, e.live, e.log, e.window = false, false, e.log[:0], window
	if err := e.model.Start(e.cfg.instance(e.cfg.Part, window)); err != nil {
		return fmt.Errorf("%s: window %d: %w", e.spec.ID, window, err)
	}
	e.begun = true
	if e.rule >= 0 {
		r := &e.cfg.Rules[e.rule]
		e.decide = r.Fresh(e.cfg.draws(r.Name, window))
	}
	return e.report(Outcome{})
}

// Step answers the pending question and continues to the next.
func (e *Env[M]) Step(action []float64) (env.Step, error) {
	switch {
	case e.closed:
		return env.Step{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrClosed)
	case !e.live:
		return env.Step{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrResetNeeded)
	}
	if err := env.CheckAction(&e.spec, e.mask, action); err != nil {
		return env.Step{}, err
	}
	e.log = append(e.log, action...)
	err := e.report(e.model.Act(action))
	return e.last, err
}

// report fills in last.
func (e *Env[M]) report(o Outcome) error {
	e.live = !o.Terminated && !o.Truncated
	if o.Terminated {
		clear(e.obs)
		clear(e.mask)
	} else {
		e.model.Observe(e.obs, e.mask)
	}
	e.model.Metrics(e.metrics)
	e.last = env.Step{Obs: e.obs, Reward: o.Reward, Terminated: o.Terminated, Truncated: o.Truncated,
		Info: env.Info{Mask: e.mask, Elapsed: o.Elapsed, Metrics: e.metrics}}
	if math.IsNaN(o.Reward) || math.IsInf(o.Reward, 0) {
		e.live = false
		return fmt.Errorf("%s: window %d: reward is %v, expected a finite number", e.spec.ID, e.window, o.Reward)
	}
	if e.live && e.rule >= 0 {
		e.decide(e.model, e.advice)
	}
	return nil
}

// Cost is what the episode that has just ended cost; an error before its end.
func (e *Env[M]) Cost() (float64, error) {
	if !e.begun || e.live {
		return 0, fmt.Errorf("%s: the cost of an episode that has not ended, expected a call after its last step", e.spec.ID)
	}
	c := e.model.Cost()
	if !(c > 0) || math.IsInf(c, 1) {
		return 0, fmt.Errorf("%s: window %d: %s is %v, expected a finite number > 0", e.spec.ID, e.window, e.cfg.CostName, c)
	}
	return c, nil
}

// CostName names the cost, with its unit last.
func (e *Env[M]) CostName() string { return e.cfg.CostName }
