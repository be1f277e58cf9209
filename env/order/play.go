package order

import (
	"context"
	"fmt"

	"tarry/env/schedenv"
	"tarry/env/schedenv/replay"
	"tarry/env/trait"
	"tarry/sim"
)

// played is a window at the end of its warm-up, and what Dally did with it.
type played struct {
	*replay.Window
	sched  *scheduler // from before the instant's decisions
	policy parametric // in whose memory vectors are played
	warm   sim.Time   // how long Dally decides
	asked  bool       // the window has a question
	base   replay.Figures
}

// Play simulates a window from the end of its warm-up to its last job under a vector. The cost is
// Config.Cost of all its jobs over Config.Reference's.
func (e *Env) Play(ctx context.Context, params []float64, p trait.Part, window int) (trait.Outcome, error) {
	if err := e.check(params); err != nil {
		return trait.Outcome{}, err
	}
	w, err := e.window(ctx, p, window)
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	if !w.asked {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, trait.ErrNoQuestion)
	}
	w.begin()
	w.policy.set(e.cfg, params, w.warm)
	if err := w.Play(ctx, &w.policy); err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	f := w.Figures()
	return e.cfg.Cost.Outcome(&f, &w.base, References()[e.cfg.Reference]), nil
}

// window finds a window among the windows that are kept, or has it played.
func (e *Env) window(ctx context.Context, p trait.Part, number int) (*played, error) {
	return e.Played.Get(p, number, func() (*played, error) { return e.warm(ctx, p, number) })
}

// warm warms a window up and has Dally and the reference play it.
func (e *Env) warm(ctx context.Context, p trait.Part, number int) (*played, error) {
	of, _ := e.cfg.Of(number)
	w := &played{sched: newScheduler(e.cfg), warm: of.Warm}
	var err error
	if w.Window, err = replay.Open(ctx, &e.cfg.Config, p, number, schedenv.Alone{Scheduler: w.sched}, w.warm); err != nil {
		return nil, err
	}
	if w.View == nil {
		return nil, fmt.Errorf("%d jobs end within the warm-up of %v: %w", len(w.Jobs), w.warm, trait.ErrNoQuestion)
	}
	w.policy.scheduler = newScheduler(e.cfg)
	w.begin()
	if err := w.Play(ctx, schedenv.Alone{Scheduler: w.policy.scheduler, Asked: &w.asked}); err != nil {
		return nil, err
	}
	w.base = w.Figures()
	return w, e.compare(ctx, w, p, number)
}

// begin goes back to the end of the warm-up.
func (w *played) begin() { w.policy.CopyFrom(w.sched) }
