package results

import (
	"testing"

	"tarry/experiments/sweep"
)

// Every pair is of settings that there are, for both learners.
func TestTransfers(t *testing.T) {
	all := transfers(sweep.Full)
	if len(all) != 2 {
		t.Fatalf("%d sweeps, want 2", len(all))
	}
	for _, s := range all {
		if got := len(s.Axes[0].Cases); got != len(pairs()) {
			t.Errorf("%s has %d pairs, want %d", s.Name, got, len(pairs()))
		}
	}
}
