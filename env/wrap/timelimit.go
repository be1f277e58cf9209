package wrap

import (
	"fmt"

	"tarry/env"
	"tarry/internal/pack"
)

type timeLimit struct {
	layer
	taken int
}

// TimeLimit truncates an episode after that many steps, >= 1. A step that also ends the problem
// is both terminated and truncated; learners look at Terminated first.
func TimeLimit(e env.Env, steps int) (env.Env, error) {
	if steps < 1 {
		return nil, fmt.Errorf("%s: time limit of %d steps, expected >= 1", e.Spec().ID, steps)
	}
	t := &timeLimit{layer: newLayer(e, fmt.Sprintf("TimeLimit:steps=%d", steps))}
	t.spec.MaxSteps = steps
	return t, nil
}

func (t *timeLimit) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	t.taken = 0
	return t.inner.Reset(seed, options)
}

func (t *timeLimit) Step(action []float64) (env.Step, error) {
	s, err := t.inner.Step(action)
	if err == nil {
		t.taken++
		s.Truncated = s.Truncated || t.taken >= t.spec.MaxSteps
	}
	return s, err
}

func (t *timeLimit) Snapshot() ([]byte, error) {
	return t.snapshot("timelimit", func(w *pack.Writer) { w.Int(t.taken) })
}

func (t *timeLimit) Restore(data []byte) (env.Step, error) {
	s, err := t.restore("timelimit", data, func(r *pack.Reader) { t.taken = r.Int() })
	s.Truncated = s.Truncated || t.taken >= t.spec.MaxSteps
	return s, err
}
