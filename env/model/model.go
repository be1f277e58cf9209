package model

import (
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/rng"
)

// Model is a decision problem. Once warm, Observe and Act allocate nothing.
type Model interface {
	// Start begins an episode, up to its first question. Every draw of the instance comes from r,
	// before the first action, so that all agents meet the same one. The model may keep r for draws
	// during the episode, if their order does not depend on actions.
	Start(r *rng.Stream) error
	// Observe writes the observation of the pending question and which actions are legal; mask is
	// nil where actions are not masked. It changes nothing that matters later.
	Observe(obs []float64, mask []bool)
	// Act takes a legal action and continues to the next question, or to the end.
	Act(action []float64) Outcome
	// Metrics writes the figures that Config.Spec.Metrics names, in that order.
	Metrics(dst []float64)
	// Cost is what the episode cost, once it ended: > 0, lower is better.
	Cost() float64
}

// parted is a Model whose episodes differ by the part, as of a program that is measured otherwise than
// it trains.
type parted interface {
	// On states the part; it is called once, before Start.
	On(p trait.Part)
}

// Outcome is what an action led to, as in env.Step.
type Outcome struct {
	Reward, Elapsed       float64
	Terminated, Truncated bool
}

// Rule is a fixed way to act, in the agent's own action space.
type Rule[M Model] struct {
	// Name is unique among the rules, Doc one line.
	Name, Doc string
	// Fresh gives the rule at the start of an episode, with a memory of its own; r is for its draws.
	// The rule is called once for each question and writes a legal action.
	Fresh func(r *rng.Stream) func(m M, action []float64)
}

// Settings are the options that all environments of this package have.
type Settings struct {
	// Part is from where Reset draws instances, Windows how many a part has.
	Part    trait.Part
	Windows int
	// DataSeed is the root of their seeds.
	DataSeed uint64
}

// Config is what an environment is made of.
type Config[M Model] struct {
	Settings
	// Spec has the spaces, the layout, the metrics and the guide; its options are New's.
	Spec env.Spec
	// New gives a fresh model. Models share only what never changes. The method On(part), where a
	// model has it, is called with the part.
	New func() M
	// Rules are what Follow takes and what stands beside agents.
	Rules []Rule[M]
	// CostName names Model.Cost, with its unit last.
	CostName string
}

// Validate reports all faults.
func (c *Config[M]) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", c.Spec.ID, fmt.Sprintf(format, args...)))
	}
	switch c.Part {
	case trait.Train, trait.Validation, trait.Test:
	default:
		bad("part is %q, expected train, validation or test", c.Part)
	}
	if c.Windows < 1 {
		bad("windows are %d, expected 1 or more", c.Windows)
	}
	if c.New == nil || c.CostName == "" {
		bad("no model or no name of its cost, expected both")
	}
	seen := map[string]bool{}
	for _, r := range c.Rules {
		if r.Name == "" || seen[r.Name] || r.Fresh == nil {
			bad("a rule has the name %q, expected one of its own and Fresh", r.Name)
		}
		seen[r.Name] = true
	}
	return errors.Join(errs...)
}

// New makes an environment; options is what its Spec states it was made from.
func New[M Model](c Config[M], options string) (*Env[M], error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	e := &Env[M]{cfg: c, spec: c.Spec, model: c.New(), rule: -1}
	if m, ok := any(e.model).(parted); ok {
		m.On(c.Part)
	}
	e.spec.Options = options
	e.obs = make([]float64, c.Spec.Observation.Len())
	e.metrics = make([]float64, len(c.Spec.Metrics))
	e.advice = make([]float64, c.Spec.Action.Len())
	if c.Spec.Masked {
		e.mask = make([]bool, env.MaskLen(c.Spec.Action))
	}
	return e, nil
}
