package gavelsim

import (
	"testing"

	"tarry/sim/simtest"
)

// TestConformance: the habits leave jobs unfinished that fail, that need GPUs
// of several types, or that the kernel slows down. It has no costs: where a restart takes longer
// than a round, nothing gets done.
func TestConformance(t *testing.T) {
	o := simtest.Options{MayStarve: true, Without: simtest.Costs}
	simtest.Conform(t, "gavel-sim", New, o.Named([][2]string{
		{"isolated", "policy=isolated,round_s=15,recompute_s=30"},
		{"none of them",
			"policy=max-min,round_s=4,recompute_s=10,ends=fixed,steps=fluid,split=false,late=false"},
	}))
}
