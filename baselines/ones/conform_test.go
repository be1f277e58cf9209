package ones

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "ones", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		seeds      int
	}{
		{"defaults", "", 40},
		{"short epochs", "epoch_s=3,passes=5", 60},
		{"near", "epoch_s=2,place=near,every=0,predict=mean", 60},
		{"known", "epoch_s=4,predict=lindy,sample=false,first=asked,speed=known,every=5,generations=2", 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: c.seeds, Allocates: c.name != "near", Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}
