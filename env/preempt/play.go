package preempt

import (
	"context"
	"fmt"

	"tarry/env/trait"
	"tarry/sim"
)

// played is a window before its first instant's decisions, and what the rule did with it.
type played struct {
	jobs   []sim.Job
	engine *sim.Engine
	view   *sim.View
	state  *sim.Snapshot
	warm   sim.Time // until then no job is evicted
	asked  bool     // the window has a question
	base   figures
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
	engine, load, err := e.cfg.Engine(p, number)
	if err != nil {
		return nil, err
	}
	of, _ := e.cfg.Of(number)
	w := &played{jobs: load.Jobs, engine: engine, warm: of.Warm}
	base := e.vector(e.start(), w.warm, &w.asked)
	engine.Permit(base.Knows())
	err = engine.Drive(ctx, base, func(v *sim.View) (bool, error) {
		w.view, w.state = v, engine.Snapshot()
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	w.base, err = w.play(ctx, base)
	return w, err
}

// play plays the window under a policy that has not begun.
func (w *played) play(ctx context.Context, p sim.Policy) (figures, error) {
	if err := w.engine.Restore(w.state); err != nil {
		return figures{}, err
	}
	if err := w.engine.Apply(p.Decide(w.view, nil)); err != nil {
		return figures{}, err
	}
	err := w.engine.Drive(ctx, p, nil)
	return w.figures(), err
}

// figures reads the results of a run that has ended. Jobs that never end count as if they ended
// with the last one.
func (w *played) figures() (f figures) {
	n := float64(len(w.jobs))
	for j := range w.jobs {
		r := w.engine.Record(sim.JobID(j))
		end := r.End
		if end == sim.Never {
			end = w.engine.Now()
		}
		f.jctS += (end - w.jobs[j].Submit).Seconds() / n
		f.preemptions += float64(r.Preemptions) / n
		f.lostS += r.KilledRun.Seconds() / n
	}
	return f
}
