package results

import (
	"slices"
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

func TestExchange(t *testing.T) {
	have := `cluster=2x4x8,speed="contended:rack=0.9,network=0.9",trace=a.csv,gap=1,warm=2`
	want := "cluster=2x4x8,speed=collective,workload=poisson,warm=12"
	got := exchange(have, want)
	if !slices.Equal(got, []string{"trace=", "gap=", "speed=collective", "workload=poisson", "warm=12"}) {
		t.Errorf("%q", got)
	}
	if got := exchange(have, have); len(got) != 0 {
		t.Errorf("the same options are exchanged by %q", got)
	}
}
