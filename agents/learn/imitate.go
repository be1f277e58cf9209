package learn

import (
	"fmt"

	"tarry/agents/registry"
)

// Demonstrator writes the action that a known policy takes in environment i to dst.
type Demonstrator = registry.Demonstrator

// Imitation states how long a warm start lasts.
type Imitation = registry.Imitation

// Startable reports what stands in the way of an imitation by the learner.
func (r *Run) Startable(c *Imitation) error {
	switch {
	case c.Updates < 0 || c.Episodes < 0 || c.Updates+c.Episodes < 1 || c.Epochs < 1 || !(c.LearningRate > 0):
		return fmt.Errorf("%s: imitation has %d episodes, %d updates, %d epochs, learning rate %g, expected at "+
			"least 1 of the first two, 1 and more than 0",
			r.Agent, c.Episodes, c.Updates, c.Epochs, c.LearningRate)
	case r.Failed != "":
		return fmt.Errorf("%s: a former update failed: %s", r.Agent, r.Failed)
	case r.Updates > 0:
		return fmt.Errorf("%s: imitation after %d updates, expected before the first", r.Agent, r.Updates)
	}
	return nil
}
