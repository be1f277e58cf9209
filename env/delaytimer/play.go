package delaytimer

import (
	"context"
	"fmt"

	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim"
)

// played is a window before its first instant, and what Dally did with it.
type played struct {
	jobs   []sim.Job
	engine *sim.Engine
	state  *sim.Snapshot
	baseS  float64 // mean completion time under Dally
}

// Play simulates a window from its first job to its last under a vector; before Config.Warm the
// base policy sets the timers. The cost is the mean completion time of all its jobs over that under
// Dally's tuner, so that it is 1 for Dally in each regime.
func (e *Env) Play(ctx context.Context, params []float64, p trait.Part, window int) (trait.Outcome, error) {
	if err := e.check(params); err != nil {
		return trait.Outcome{}, err
	}
	w, err := e.window(ctx, p, window)
	var jctS float64
	asked := false
	if err == nil {
		jctS, err = w.under(ctx, e.acting(window, func(obs []float64, _ []bool, action []float64) {
			asked = true
			e.cfg.answer(action, obs, params)
		}))
	}
	if err == nil && !asked {
		err = trait.ErrNoQuestion
	}
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", e.cfg.id(), window, p, err)
	}
	return trait.Outcome{Cost: jctS / w.baseS, Metrics: []trait.Metric{{Name: "jct_s", Value: jctS},
		{Name: "dally_jct_s", Value: w.baseS}}}, nil
}

// acting is the scheduler with an agent inside, from the end of a window's warm-up on.
func (e *Env) acting(window int, act schedenv.Actor) sim.Policy {
	of, _ := e.cfg.Of(window)
	return schedenv.AsPolicy(newScheduler(e.cfg), act, of.Warm, *e.Spec())
}

// window finds a window among the windows that are kept, or has Dally play it.
func (e *Env) window(ctx context.Context, p trait.Part, number int) (*played, error) {
	return e.Played.Get(p, number, func() (*played, error) { return e.underDally(ctx, p, number) })
}

// underDally has Dally play a window.
func (e *Env) underDally(ctx context.Context, p trait.Part, number int) (*played, error) {
	engine, load, err := e.cfg.Engine(p, number)
	if err != nil {
		return nil, err
	}
	w := &played{jobs: load.Jobs, engine: engine, state: engine.Snapshot()}
	w.baseS, err = w.under(ctx, dally.NewPolicy(e.cfg.Dally, nil))
	return w, err
}

// under plays the window under a policy and gives the mean completion time in seconds; jobs that
// never end count as if they ended with the last one.
func (w *played) under(ctx context.Context, p sim.Policy) (float64, error) {
	if err := w.engine.Restore(w.state); err != nil {
		return 0, err
	}
	w.engine.Permit(p.Knows())
	if err := w.engine.Drive(ctx, p, nil); err != nil {
		return 0, err
	}
	sum := 0.0
	for j := range w.jobs {
		end := w.engine.Record(sim.JobID(j)).End
		if end == sim.Never {
			end = w.engine.Now()
		}
		sum += (end - w.jobs[j].Submit).Seconds()
	}
	return sum / float64(len(w.jobs)), nil
}
