package pairs

import (
	"context"
	"fmt"
	"slices"

	"tarry/baselines/typed"
	"tarry/env/schedenv"
	"tarry/env/schedenv/replay"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/know"
)

// later is the policy typed that takes other weights at some time.
type later struct {
	*typed.Policy
	weights []float64
	from    sim.Time
	begun   bool
}

// Knows is what it may read under any weights.
func (p *later) Knows() know.Set { return p.KnowsAll() }

// Decide implements sim.Policy.
func (p *later) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.begun && v.Now() >= p.from {
		p.begun = true
		p.SetWeights(p.weights)
	}
	return p.Policy.Decide(v, out)
}

// Clone gives an independent copy.
func (p *later) Clone() sim.Policy {
	c := *p
	c.Policy, c.weights = p.Policy.Clone().(*typed.Policy), slices.Clone(p.weights)
	return &c
}

// played is a window at the end of its warm-up, and what typed did with it.
type played struct {
	*replay.Window
	start *typed.Policy // from before the instant's decisions
	asked bool          // the window has a question
	base  replay.Figures
}

// Play simulates a window from the end of its warm-up to its last job under a vector. The cost is
// Config.Cost of all its jobs over that under typed.
func (e *Env) Play(ctx context.Context, params []float64, p trait.Part, window int) (trait.Outcome, error) {
	if err := e.check(params); err != nil {
		return trait.Outcome{}, err
	}
	w, err := e.Played.Get(p, window, func() (*played, error) { return e.warm(ctx, p, window) })
	if err == nil && !w.asked {
		err = trait.ErrNoQuestion
	}
	if err == nil {
		all, policy := e.cfg.weights(params), w.start.Clone().(*typed.Policy)
		policy.SetWeights(all[:])
		err = w.Play(ctx, policy)
	}
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	f := w.Figures()
	return e.cfg.Cost.Outcome(&f, &w.base, "typed"), nil
}

// warm warms a window up and has typed play it.
func (e *Env) warm(ctx context.Context, p trait.Part, number int) (*played, error) {
	of, _ := e.cfg.Of(number)
	s, w := newScheduler(e.cfg), &played{}
	var err error
	if w.Window, err = replay.Open(ctx, &e.cfg.Config.Config, p, number, schedenv.Alone{Scheduler: s},
		of.Warm); err != nil {
		return nil, err
	}
	if w.View == nil {
		return nil, fmt.Errorf("%d jobs end within the warm-up of %v: %w", len(w.Jobs), of.Warm, trait.ErrNoQuestion)
	}
	w.start = s.policy.Clone().(*typed.Policy)
	if err := w.Play(ctx, schedenv.Alone{Scheduler: s, Asked: &w.asked}); err != nil {
		return nil, err
	}
	w.base = w.Figures()
	return w, nil
}
