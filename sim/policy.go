package sim

import "tarry/sim/know"

// Policy is a scheduler: the one seam through which baselines and frozen agents are
// measured. A Policy belongs to one run and may keep state between calls.
type Policy interface {
	// Knows declares what the policy may read. View gives it no more.
	Knows() know.Set
	// Decide is called once per instant at which something happened. It appends its
	// decisions to out and returns it. It may Take and Release on v.Free() while it
	// plans; the kernel rolls that back.
	Decide(v *View, out []Decision) []Decision
}
