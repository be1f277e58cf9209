package simtest

import (
	"fmt"

	"tarry/sim"
)

// copies are a policy's clone, the snapshot beside it, and the policy itself once it has run on, as
// they were. The zero value has none, and finds nothing wrong.
type copies struct{ clone, snapshot, original *Reach }

// cloned looks at a clone and a snapshot that were just made.
func (c *copies) cloned(p, clone sim.Policy, snapshot *sim.Snapshot) error {
	c.clone, c.snapshot = ReachOf(clone), ReachOf(snapshot)
	if bound := c.clone.Bound(ReachOf(p)); bound != "" {
		return fmt.Errorf("the clone calls functions of the original: %s", bound)
	}
	return nil
}

// ran is called when the original has run on, before the clone does.
func (c *copies) ran(p, clone sim.Policy) error {
	if c.clone == nil {
		return nil
	}
	if changed := c.clone.Changed(clone); changed != "" {
		return fmt.Errorf("the clone changes while the original runs on: %s", changed)
	}
	c.original = ReachOf(p)
	return nil
}

// resumed is called when the clone has run on, in an engine that was set to the snapshot.
func (c *copies) resumed(p sim.Policy, snapshot *sim.Snapshot) error {
	if c.clone == nil {
		return nil
	}
	if changed := c.original.Changed(p); changed != "" {
		return fmt.Errorf("the original changes while the clone runs on: %s", changed)
	}
	if changed := c.snapshot.Changed(snapshot); changed != "" {
		return fmt.Errorf("the snapshot changes while an engine runs on: %s", changed)
	}
	return nil
}
