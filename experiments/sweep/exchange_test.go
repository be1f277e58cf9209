package sweep_test

import (
	"slices"
	"testing"

	"tarry/experiments/sweep"
)

func TestExchange(t *testing.T) {
	have := `cluster=2x4x8,speed="contended:rack=0.9,network=0.9",trace=a.csv,gap=1,warm=2`
	want := "cluster=2x4x8,speed=collective,workload=poisson,warm=12"
	got := sweep.Exchange("tarry/Order-v0:"+have, want)
	if !slices.Equal(got, []string{"trace=", "gap=", "speed=collective", "workload=poisson", "warm=12"}) {
		t.Errorf("%q", got)
	}
	if got := sweep.Exchange(have, have); len(got) != 0 {
		t.Errorf("the same options are exchanged by %q", got)
	}
}
