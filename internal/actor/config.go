package actor

import (
	"errors"
	"fmt"

	"tarry/internal/nn"
)

// Config says how a policy is built. The zero value is a linear actor without a critic.
type Config struct {
	// Hidden are the sizes of the hidden layers of actor and critic; for candidates the
	// first is the width of the kernels.
	Hidden []int
	// Critic says that there is a critic.
	Critic bool
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units
	// of half the action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64
	Squash bool
	// NormObs scales each observation entry by its running mean and deviation.
	NormObs bool
	// Candidates says that observations list candidates, which one shared kernel judges;
	// nil = the networks are multi-layer perceptrons.
	Candidates *Candidates
}

// Validate reports all faults, with the names of the settings in JSON.
func (c *Config) Validate() error {
	var errs []error
	if !(c.LogStd >= -20 && c.LogStd <= 2) {
		errs = append(errs, fmt.Errorf("log_std is %v, expected a number from -20 to 2", c.LogStd))
	}
	for i, h := range c.Hidden {
		if h < 1 {
			errs = append(errs, fmt.Errorf("hidden[%d] is %v, expected at least 1", i, h))
		}
	}
	return errors.Join(append(errs, c.validateCandidates())...)
}

func (c *Config) validateCandidates() error {
	if c.Candidates == nil {
		return nil
	}
	if c.NormObs {
		return errors.New("norm_obs is true with candidates, expected false: each place in the list would be scaled in its own way")
	}
	if len(c.Hidden) == 0 {
		return errors.New("hidden is empty, expected the width of the candidates' kernels")
	}
	shape := nn.SetShape{Global: c.Candidates.Global, Slots: 1, Features: c.Candidates.Features, Extra: c.Candidates.Extra}
	return shape.Validate()
}
