// Package wrap has the wrappers: environments around another one that change its limits, its
// numbers or its manners.
//
// Reading guide. One file per wrapper, one function each: TimeLimit, OrderEnforcing,
// EpisodeStatistics, NormalizeObservation, NormalizeReward, ClipAction, RescaleAction, Flatten,
// TimeAware. Apply reads a wrapper from text, as Spec().Wrappers lists them, so that a saved Spec
// can be made again. layer.go holds what they have in common.
//
// Every wrapper has snapshots when what it wraps has, adds its line to Spec().Wrappers, and
// allocates nothing per step.
package wrap

import (
	"fmt"
	"slices"

	"tarry/env"
	"tarry/internal/pack"
)

// layer is what wrappers share: the environment below and a spec of their own.
type layer struct {
	inner env.Env
	spec  env.Spec
}

func newLayer(e env.Env, line string) layer {
	s := *e.Spec()
	s.Wrappers = append(slices.Clone(s.Wrappers), line)
	return layer{e, s}
}

// Spec describes the environment with this layer.
func (l *layer) Spec() *env.Spec { return &l.spec }

// Unwrap gives the environment below.
func (l *layer) Unwrap() env.Env { return l.inner }

// Reset passes on.
func (l *layer) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	return l.inner.Reset(seed, options)
}

// Step passes on.
func (l *layer) Step(action []float64) (env.Step, error) { return l.inner.Step(action) }

// Close passes on.
func (l *layer) Close() error { return l.inner.Close() }

// snapshot saves what is below, then what the wrapper adds.
func (l *layer) snapshot(name string, own func(*pack.Writer)) ([]byte, error) {
	below, err := env.Snapshot(l.inner)
	if err != nil {
		return nil, err
	}
	w := pack.NewWriter("tarry/wrap/" + name)
	w.Bytes(below)
	own(w)
	return w.Seal(), nil
}

// restore reads what snapshot wrote; own reads the wrapper's part into the wrapper. The
// environment below is only touched when the wrapper's own part is complete.
func (l *layer) restore(name string, data []byte, own func(*pack.Reader)) (env.Step, error) {
	r := pack.NewReader("tarry/wrap/"+name, data)
	below := r.Bytes()
	own(r)
	if err := r.Close(); err != nil {
		return env.Step{}, fmt.Errorf("%s: %w: %w", l.spec.ID, env.ErrSnapshot, err)
	}
	return env.Restore(l.inner, below)
}

// stateless is a layer without memory: its snapshot is the environment's below.
type stateless struct{ layer }

// Snapshot passes on.
func (l *stateless) Snapshot() ([]byte, error) { return env.Snapshot(l.inner) }

// Restore passes on.
func (l *stateless) Restore(data []byte) (env.Step, error) { return env.Restore(l.inner, data) }
