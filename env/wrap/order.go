package wrap

import (
	"fmt"

	"tarry/env"
	"tarry/internal/pack"
)

// phase is where an environment is in its life.
type phase int

const (
	fresh phase = iota
	running
	ended
	closed
)

type order struct {
	layer
	phase phase
}

// OrderEnforcing lets calls through in the right order only: Step before Reset, or after the end
// of an episode, gives ErrResetNeeded; anything after Close gives ErrClosed.
func OrderEnforcing(e env.Env) env.Env {
	return &order{layer: newLayer(e, "OrderEnforcing")}
}

func (o *order) fault(call string, err error) error {
	return fmt.Errorf("%s: %s: %w", o.spec.ID, call, err)
}

func (o *order) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if o.phase == closed {
		return nil, env.Info{}, o.fault("reset", env.ErrClosed)
	}
	o.phase = fresh
	obs, info, err := o.inner.Reset(seed, options)
	if err == nil {
		o.phase = running
	}
	return obs, info, err
}

func (o *order) Step(action []float64) (env.Step, error) {
	if o.phase != running {
		if o.phase == closed {
			return env.Step{}, o.fault("step", env.ErrClosed)
		}
		return env.Step{}, o.fault("step", env.ErrResetNeeded)
	}
	s, err := o.inner.Step(action)
	if err == nil && s.Done() {
		o.phase = ended
	}
	return s, err
}

func (o *order) Close() error {
	if o.phase == closed {
		return nil
	}
	o.phase = closed
	return o.inner.Close()
}

func (o *order) Snapshot() ([]byte, error) {
	if o.phase == closed {
		return nil, o.fault("snapshot", env.ErrClosed)
	}
	return o.snapshot("order", func(w *pack.Writer) { w.Int(int(o.phase)) })
}

func (o *order) Restore(data []byte) (env.Step, error) {
	if o.phase == closed {
		return env.Step{}, o.fault("restore", env.ErrClosed)
	}
	o.phase = fresh
	var saved phase
	s, err := o.restore("order", data, func(r *pack.Reader) { saved = phase(r.Int()) })
	if err == nil {
		o.phase = saved
	}
	return s, err
}
