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
	base  figures
}

// figures are the results of one run over a window.
type figures struct{ bsld, jctS, waitS float64 }

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
	var f figures
	if err == nil {
		f, err = w.play(ctx, e.cfg.vector(e.cfg.Score, params))
	}
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	return trait.Outcome{Cost: f.bsld / w.base.bsld, Metrics: []trait.Metric{{Name: "bsld", Value: f.bsld},
		{Name: "reference_bsld", Value: w.base.bsld},
		{Name: "jct_s", Value: f.jctS}, {Name: "reference_jct_s", Value: w.base.jctS},
		{Name: "wait_s", Value: f.waitS}, {Name: "reference_wait_s", Value: w.base.waitS}}}, nil
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
func (w *played) play(ctx context.Context, p sim.Policy) (figures, error) {
	err := w.Play(ctx, p)
	return w.figures(), err
}

// shortestS bounds the run times of the slowdown from below, in seconds.
const shortestS = 10

// figures reads the results of a run that has ended.
func (w *played) figures() (f figures) {
	n := float64(len(w.Jobs))
	for j := range w.Jobs {
		r := w.Engine.Record(sim.JobID(j))
		jct := (w.End(sim.JobID(j)) - w.Jobs[j].Submit).Seconds()
		f.bsld += max(1, jct/max(shortestS, w.Jobs[j].RunTime().Seconds())) / n
		f.jctS += jct / n
		f.waitS += r.Queue.Seconds() / n
	}
	return f
}
