// Package replay plays a window of jobs from one instant to its end again and again, for searches.
package replay

import (
	"context"

	"tarry/env/schedenv"
	"tarry/sim"
)

// Window is a window at an instant, before its decisions.
type Window struct {
	Jobs   []sim.Job
	Engine *sim.Engine
	View   *sim.View // nil = all jobs end before
	state  *sim.Snapshot
	waits  []float64 // scratch
}

// Open plays a window of a part under a policy up to its first instant at or after from. The policy
// has then seen what was before the instant.
func Open(ctx context.Context, c *schedenv.Config, p schedenv.Part, window int, policy sim.Policy,
	from sim.Time) (*Window, error) {
	engine, load, err := c.Engine(p, window)
	if err != nil {
		return nil, err
	}
	w := &Window{Jobs: load.Jobs, Engine: engine}
	engine.Permit(policy.Knows())
	err = engine.Drive(ctx, policy, func(v *sim.View) (bool, error) {
		if v.Now() < from {
			return true, nil
		}
		w.View, w.state = v, engine.Snapshot()
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Play plays the window from the instant on under a policy that has seen what was before. Records
// are the engine's until the next call.
func (w *Window) Play(ctx context.Context, p sim.Policy) error {
	if err := w.Engine.Restore(w.state); err != nil {
		return err
	}
	if err := w.Engine.Apply(p.Decide(w.View, nil)); err != nil {
		return err
	}
	return w.Engine.Drive(ctx, p, nil)
}

// End is when a job of the window ended. Jobs that never end count as if they ended with the last
// one.
func (w *Window) End(j sim.JobID) sim.Time {
	if end := w.Engine.Record(j).End; end != sim.Never {
		return end
	}
	return w.Engine.Now()
}
