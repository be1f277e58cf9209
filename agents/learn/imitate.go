package learn

import (
	"fmt"

	"tarry/env"
)

// Demonstrator writes the action that a known policy takes in environment i to dst, given
// the observation, unscaled, and the mask (nil if there is none). The caller that made the
// environments may look into number i for more, but must not step it.
type Demonstrator func(i int, obs []float64, mask []bool, dst []float64) error

// Imitation says how long a warm start lasts.
type Imitation struct {
	// Episodes is how many episodes the demonstrator ends at least, Updates how many rollouts it
	// fills at most; 0 = no bound, but one of the two is needed. Learners on the policy learn from each
	// rollout in Epochs passes, those that replay from all of them together; at least 1.
	Episodes int `json:"episodes"`
	Updates  int `json:"updates"`
	Epochs   int `json:"epochs"`
	// LearningRate is that of Adam in these passes.
	LearningRate float64 `json:"learning_rate"`
}

// Check says what stands in the way of an imitation by the learner of a run.
func (c *Imitation) Check(r *Run) error {
	switch {
	case c.Updates < 0 || c.Episodes < 0 || c.Updates+c.Episodes < 1 || c.Epochs < 1 || !(c.LearningRate > 0):
		return fmt.Errorf("%s: imitation has %d episodes, %d updates, %d epochs, learning rate %g, expected at least 1 of the first two, 1 and more than 0",
			r.Agent, c.Episodes, c.Updates, c.Epochs, c.LearningRate)
	case r.Failed != "":
		return fmt.Errorf("%s: a former update failed: %s", r.Agent, r.Failed)
	case r.Updates > 0:
		return fmt.Errorf("%s: imitation after %d updates, expected before the first", r.Agent, r.Updates)
	}
	return nil
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
