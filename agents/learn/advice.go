package learn

import (
	"bytes"
	"encoding/json"
	"fmt"

	"tarry/env"
)

// Advise sets what an environment advises a learner of some name to start from in its settings,
// which to points to. A nil spec, or one that states nothing of the learner, leaves them as they
// are. The error states which setting the learner does not have or take.
func Advise(s *env.Spec, learner string, to any) error {
	if s == nil || len(s.Advice[learner]) == 0 {
		return nil
	}
	text, err := json.Marshal(s.Advice[learner])
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		err = d.Decode(to)
	}
	if err != nil {
		return fmt.Errorf("%s advises %s: %w", s.ID, learner, err)
	}
	return nil
}
