package registry

import (
	"fmt"

	"tarry/env"
)

// Imitator is a Learner that can be given a warm start from demonstrations, before its first
// update.
type Imitator interface {
	// Imitate has a demonstrator act in the environments and learns what it does; watch is called
	// for each rollout, and each pass over what was demonstrated where there are any, and may end
	// it with an error.
	Imitate(cfg Imitation, demo Demonstrator, watch func(Row) error) error
}

// Replayer is a Config whose learners keep demonstrations and learn from them throughout.
type Replayer interface {
	// Demonstrated has the settings for demonstrations spelled out, with defaults for settings that
	// are not given.
	Demonstrated() Config
	// Demonstrates reports whether any is set.
	Demonstrates() bool
}

// Demonstrator writes the action that a known policy takes in environment i to dst, given
// the observation, unscaled, and the mask (nil if there is none). The caller that made the
// environments may look into number i for more, but must not step it.
type Demonstrator func(i int, obs []float64, mask []bool, dst []float64) error

// Imitation states how long a warm start lasts.
type Imitation struct {
	// Episodes is how many episodes the demonstrator ends at least, Updates how many rollouts it
	// fills at most; 0 = no bound, but one of the two is needed. Learners on the policy learn from
	// each rollout in Epochs passes, learners with replay from all of them together; at least 1.
	Episodes int `json:"episodes"`
	Updates  int `json:"updates"`
	Epochs   int `json:"epochs"`
	// LearningRate is Adam's in these passes.
	LearningRate float64 `json:"learning_rate"`
}

// Enough reports whether a demonstrator has shown what was asked for.
func (c *Imitation) Enough(updates, episodes int) bool {
	return updates == c.Updates || c.Episodes > 0 && episodes >= c.Episodes
}

// Ask has a demonstrator act in environment i, and refuses what the environment would.
func (d Demonstrator) Ask(spec *env.Spec, i int, obs []float64, mask []bool, dst []float64) error {
	err := d(i, obs, mask, dst)
	if err == nil {
		err = env.CheckAction(spec, mask, dst)
	}
	if err != nil {
		return fmt.Errorf("demonstrator: %w", err)
	}
	return nil
}
