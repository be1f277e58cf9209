package agenttest

import (
	"slices"
	"testing"

	"tarry/env"
)

// tampered is an environment with something wrong, or with another spec. What is zero is left as it
// is.
type tampered struct {
	env.Env
	spec        env.Spec
	step, reset error           // what calls fail with
	after       func(*env.Step) // changes what a step gave
	mask        []bool          // in place of the environment's
}

// tamper puts a layer around environment i.
func tamper(make func(int) (env.Env, error), i int) (*tampered, error) {
	e, err := make(i)
	if err != nil {
		return nil, err
	}
	return &tampered{Env: e, spec: *e.Spec()}, nil
}

func (f *tampered) Spec() *env.Spec { return &f.spec }

func (f *tampered) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if f.reset != nil {
		return nil, env.Info{}, f.reset
	}
	obs, info, err := f.Env.Reset(seed, options)
	if f.mask != nil {
		info.Mask = f.mask
	}
	return obs, info, err
}

func (f *tampered) Step(a []float64) (env.Step, error) {
	if f.step != nil {
		return env.Step{}, f.step
	}
	st, err := f.Env.Step(a)
	if f.mask != nil {
		st.Info.Mask = f.mask
	}
	if f.after != nil && err == nil {
		st.Obs = slices.Clone(st.Obs)
		f.after(&st)
	}
	return st, err
}

func (f *tampered) Snapshot() ([]byte, error)             { return env.Snapshot(f.Env) }
func (f *tampered) Restore(data []byte) (env.Step, error) { return env.Restore(f.Env, data) }

// bare is an environment without snapshots.
type bare struct{ env.Env }

// watch counts the environments that are open.
type watch struct{ open int }

// watched is one of them.
type watched struct {
	env.Env
	by     *watch
	closed bool
}

// over has environments counted.
func (w *watch) over(make func(int) (env.Env, error)) func(int) (env.Env, error) {
	return func(i int) (env.Env, error) {
		e, err := make(i)
		if err != nil {
			return nil, err
		}
		w.open++
		return &watched{Env: e, by: w}, nil
	}
}

func (e *watched) Close() error {
	if !e.closed {
		e.by.open--
	}
	e.closed = true
	return e.Env.Close()
}

func (e *watched) Unwrap() env.Env                       { return e.Env }
func (e *watched) Snapshot() ([]byte, error)             { return env.Snapshot(e.Env) }
func (e *watched) Restore(data []byte) (env.Step, error) { return env.Restore(e.Env, data) }

// specOf is the spec of an environment.
func specOf(t *testing.T, make func(int) (env.Env, error)) *env.Spec {
	t.Helper()
	e := opened(t, make)
	defer e.Close()
	return e.Spec()
}
