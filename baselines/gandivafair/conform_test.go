package gandivafair

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "gandiva-fair", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Alone: true, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "gandiva-fair", New, o.Named([][2]string{
		{"defaults", ""},
		{"short quantum", "quantum=1,balance=2"},
		{"no trade", "trade=false,quantum=2,balance=3"},
		{"by cluster", "by=vc,tickets=x:2+y:1.5,quantum=2,balance=2,spread=0"},
		{"no balance", "balance=inf,quantum=0.5,move_s=1"},
	}))
}
