package env

import (
	"errors"
	"fmt"
)

// What can go wrong, for errors.Is.
var (
	// ErrInvalidAction: the action is not in the action space, or the mask forbids it.
	ErrInvalidAction = errors.New("invalid action")
	// ErrResetNeeded: Step before the first Reset, or after the end of an episode.
	ErrResetNeeded = errors.New("reset needed")
	// ErrClosed: a call after Close.
	ErrClosed = errors.New("environment is closed")
	// ErrNoLegalAction: a mask without a single true entry where one is needed.
	ErrNoLegalAction = errors.New("no legal action")
	// ErrSnapshot: a snapshot that is damaged, or of another environment.
	ErrSnapshot = errors.New("bad snapshot")
)

// CheckAction reports why an environment must refuse an action: wrong length, outside the space,
// or forbidden by the mask (nil = none). The error wraps ErrInvalidAction. It allocates only
// when there is something to report.
func CheckAction(s *Spec, mask []bool, action []float64) error {
	if d, ok := s.Action.(Discrete); ok && len(action) == 1 && d.Contains(action) {
		if i := int(action[0]) - d.Start; mask == nil || i < len(mask) && mask[i] {
			return nil
		}
	} else if s.Action.Contains(action) && allowed(s.Action, mask, action) {
		return nil
	}
	if err := Explain(s.Action, action); err != nil {
		return fmt.Errorf("%s: %w: %w", s.ID, ErrInvalidAction, err)
	}
	return fmt.Errorf("%s: %w: %v is masked out, expected one that the mask allows", s.ID, ErrInvalidAction, action)
}
