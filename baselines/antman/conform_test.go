package antman

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "antman", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		seeds      int
	}{
		{"defaults", "", 80},
		{"shared", "unknown=0.4,wait=1,period=2", 120},
		{"drawn", "guaranteed=fraction,fraction=0.6,unknown=0.1,period=0.5,least=5", 80},
		{"none", "guaranteed=none,unknown=0.2,util=3", 40},
		{"priority", "guaranteed=priority,quota=3,unknown=0.3,room=0", 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			laws := simtest.PermuteIDs | simtest.NullJob
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: c.seeds, Laws: laws})
		})
	}
}
