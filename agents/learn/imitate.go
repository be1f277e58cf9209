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

// Imitate is the loop of a warm start by behaviour cloning: once has the demonstrator act for what an
// update has and learns from that; u counts from 0. It sets the figures and steps of the row, which is
// then numbered, marked and given to watch. An error of watch ends the warm start and leaves the run as
// it is. end is called when it has ended, however it did.
func (r *Run) Imitate(c *Imitation, watch func(Row) error, once func(u int) (Row, error), end func()) error {
	if err := r.Startable(c); err != nil {
		return err
	}
	defer end()
	for u, ended := 0, false; !ended; u++ {
		row, err := once(u)
		if err != nil {
			return r.Fail(fmt.Errorf("imitation %d: %w", u+1, err))
		}
		row.Update, row.Imitation = u+1, true
		r.Tally.Tell(&row)
		if err := watch(row); err != nil {
			return err
		}
		ended = c.Enough(row.Update, row.Episodes)
	}
	return nil
}
