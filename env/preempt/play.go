package preempt

import (
	"context"
	"fmt"

	"tarry/env/schedenv/replay"
	"tarry/env/trait"
	"tarry/sim"
)

// played is a window before its first instant's decisions, and what the rule did with it.
type played struct {
	*replay.Window
	warm  sim.Time // until then no job is evicted
	asked bool     // the window has a question
	base  figures
}

// figures are the results of one run over a window.
type figures struct{ jctS, preemptions, lostS float64 }

// Play simulates a window to its last job, under a vector from the end of its warm-up on. The cost
// is the mean completion time of all its jobs over that under the vector of the start.
func (e *Env) Play(ctx context.Context, params []float64, p trait.Part, window int) (trait.Outcome, error) {
	if err := e.check(params); err != nil {
		return trait.Outcome{}, err
	}
	w, err := e.Played.Get(p, window, func() (*played, error) { return e.reference(ctx, p, window) })
	if err == nil && !w.asked {
		err = trait.ErrNoQuestion
	}
	var f figures
	if err == nil {
		var asked bool
		f, err = w.play(ctx, e.vector(params, w.warm, &asked))
	}
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", e.cfg.id(), window, p, err)
	}
	return trait.Outcome{Cost: f.jctS / w.base.jctS, Metrics: []trait.Metric{{Name: "jct_s", Value: f.jctS},
		{Name: "start_jct_s", Value: w.base.jctS}, {Name: "preemptions_per_job", Value: f.preemptions},
		{Name: "lost_per_job_s", Value: f.lostS}}}, nil
}

// reference has the vector of the start play a window.
func (e *Env) reference(ctx context.Context, p trait.Part, number int) (*played, error) {
	of, _ := e.cfg.Of(number)
	w := &played{warm: of.Warm}
	base := e.vector(e.start(), w.warm, &w.asked)
	var err error
	if w.Window, err = replay.Open(ctx, &e.cfg.Config, p, number, base, 0); err != nil {
		return nil, err
	}
	w.base, err = w.play(ctx, base)
	return w, err
}

// play plays the window under a policy that has not begun.
func (w *played) play(ctx context.Context, p sim.Policy) (figures, error) {
	err := w.Play(ctx, p)
	return w.figures(), err
}

// figures reads the results of a run that has ended.
func (w *played) figures() (f figures) {
	n := float64(len(w.Jobs))
	for j := range w.Jobs {
		r := w.Engine.Record(sim.JobID(j))
		f.jctS += (w.End(sim.JobID(j)) - w.Jobs[j].Submit).Seconds() / n
		f.preemptions += float64(r.Preemptions) / n
		f.lostS += r.KilledRun.Seconds() / n
	}
	return f
}
