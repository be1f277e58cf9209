package slaq

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "slaq", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		seeds      int
	}{
		{"defaults", "", 60},
		{"short epochs", "epoch=30,half=20", 0},
		{"by range", "epoch=25,half=5,norm=range,points=4,fade=1", 60},
		{"fair", "epoch=30,by=fair", 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: c.seeds, Allocates: c.text != "", Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}
