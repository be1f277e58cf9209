package iadeep

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "iadeep", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		seeds      int
	}{
		{"defaults", "", 60},
		{"shared", "unknown=share,trial=0.5,iterations=6", 100},
		{"crowded", "unknown=share,trial=0.01,most=9,iterations=3,bound=lower,enough=3", 60},
		{"untuned", "unknown=share,tune=false,trial=1", 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: c.seeds, Allocates: c.name != "defaults", Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}
