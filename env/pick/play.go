package pick

import (
	"context"
	"fmt"

	"tarry/baselines/picking"
	"tarry/baselines/queueing"
	"tarry/env/schedenv/replay"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// played is a window before its first instant's decisions, and what the reference did with it.
type played struct {
	*replay.Window
	asked bool // the window has a question
	base  replay.Figures
}

// vector is the protocol under weights that the caller may change.
func (c *Config) vector(fn *picking.Func, weights []float64) *parametric {
	return &parametric{knows: c.Declares(know.Estimate), fn: fn, weights: weights,
		picker: queueing.NewPicker(c.Backfill, cluster.BestFit)}
}

// Play simulates a window from an empty cluster to its last job under a vector. The cost is the
// mean bounded slowdown of its jobs over that under the reference.
func (e *Env) Play(ctx context.Context, params []float64, p trait.Part, window int) (trait.Outcome, error) {
	if err := e.check(params); err != nil {
		return trait.Outcome{}, err
	}
	w, err := e.window(ctx, p, window)
	if err == nil && !w.asked {
		err = trait.ErrNoQuestion
	}
	var f replay.Figures
	if err == nil {
		f, err = w.play(ctx, e.cfg.vector(e.cfg.Score, params))
	}
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	return trait.Outcome{Cost: f.Slowdown / w.base.Slowdown, Metrics: []trait.Metric{{Name: "bsld", Value: f.Slowdown},
		{Name: "reference_bsld", Value: w.base.Slowdown},
		{Name: "jct_s", Value: f.JCTS}, {Name: "reference_jct_s", Value: w.base.JCTS},
		{Name: "wait_s", Value: f.WaitS}, {Name: "reference_wait_s", Value: w.base.WaitS}}}, nil
}

// window finds a window among the windows that are kept, or has the reference play it.
func (e *Env) window(ctx context.Context, p trait.Part, number int) (*played, error) {
	return e.Played.Get(p, number, func() (*played, error) { return e.reference(ctx, p, number) })
}

// reference has the reference play a window.
func (e *Env) reference(ctx context.Context, p trait.Part, number int) (*played, error) {
	base := e.cfg.vector(e.cfg.Reference, e.cfg.Reference.Weights())
	opened, err := replay.Open(ctx, &e.cfg.Config, p, number, base, 0)
	if err != nil {
		return nil, err
	}
	w := &played{Window: opened}
	w.base, err = w.play(ctx, base)
	w.asked = base.asked
	return w, err
}

// play plays the window under a policy that has not begun.
func (w *played) play(ctx context.Context, p sim.Policy) (replay.Figures, error) {
	err := w.Play(ctx, p)
	return w.Figures(), err
}
