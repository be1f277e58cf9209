package rivals_test

import (
	"slices"
	"testing"

	"tarry/baselines"
	"tarry/experiments/rivals"
	"tarry/sim/cluster"
)

// Each order stands beside its consolidated form, and both can be built.
func TestPlaced(t *testing.T) {
	got := rivals.Placed("las", "srtf", "easy", "fifo-fit", "fifo")
	if len(got) != 10 || !slices.Equal(got[:2], []string{"las", "las:place=consolidate"}) {
		t.Fatalf("%q", got)
	}
	for _, spec := range got {
		if _, build, err := baselines.All().Parse(spec, cluster.BestFit); err != nil {
			t.Error(err)
		} else if _, err := build(); err != nil {
			t.Error(err)
		}
	}
}
