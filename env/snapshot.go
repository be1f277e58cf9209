package env

import (
	"errors"
	"fmt"
)

// Snapshot saves an environment's state; see Snapshotter. The error wraps errors.ErrUnsupported
// when the environment has no snapshots.
func Snapshot(e Env) ([]byte, error) {
	if s, ok := e.(Snapshotter); ok {
		return s.Snapshot()
	}
	return nil, fmt.Errorf("%s: snapshot: %w", e.Spec().ID, errors.ErrUnsupported)
}

// Restore sets an environment to a saved state; see Snapshotter.
func Restore(e Env, data []byte) (Step, error) {
	if s, ok := e.(Snapshotter); ok {
		return s.Restore(data)
	}
	return Step{}, fmt.Errorf("%s: restore: %w", e.Spec().ID, errors.ErrUnsupported)
}
