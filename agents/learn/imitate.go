package learn

import (
	"fmt"

	"tarry/env"
)

// Demonstrator writes the action that a known policy takes in environment i to dst, given
// the observation, unscaled, and the mask (nil if there is none). Whoever made the
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

// Check says what stands in the way of an imitation by an agent's learner that has made so many updates,
// and of which a former one failed ("" = none).
func (c *Imitation) Check(agent string, updates int, failed string) error {
	switch {
	case c.Updates < 0 || c.Episodes < 0 || c.Updates+c.Episodes < 1 || c.Epochs < 1 || !(c.LearningRate > 0):
		return fmt.Errorf("%s: imitation has %d episodes, %d updates, %d epochs, learning rate %g, expected at least 1 of the first two, 1 and more than 0",
			agent, c.Episodes, c.Updates, c.Epochs, c.LearningRate)
	case failed != "":
		return fmt.Errorf("%s: a former update failed: %s", agent, failed)
	case updates > 0:
		return fmt.Errorf("%s: imitation after %d updates, expected before the first", agent, updates)
	}
	return nil
}

// Enough reports whether a demonstrator has shown what was asked for.
func (c *Imitation) Enough(updates, episodes int) bool {
	return updates == c.Updates || c.Episodes > 0 && episodes >= c.Episodes
}

// Demonstrate fills rollouts of so many steps in envs environments until the demonstrator has shown enough: act puts its action
// in environment i in place, step takes them all and keeps what came of it, and told hears of each rollout, from 1, and gives
// how many episodes ended so far.
func (c *Imitation) Demonstrate(steps, envs int, act func(i int) error, step func() error, told func(rollout int) (episodes int, err error)) error {
	for rollout := 1; ; rollout++ {
		for range steps {
			for i := range envs {
				if err := act(i); err != nil {
					return fmt.Errorf("environment %d: %w", i, err)
				}
			}
			if err := step(); err != nil {
				return err
			}
		}
		if episodes, err := told(rollout); err != nil || c.Enough(rollout, episodes) {
			return err
		}
	}
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
