package optimus

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "optimus", New, text)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		seeds      int
	}{
		{"defaults", "", 60},
		{"short", "every=25,epochs=3/8,window=3,points=4,fade=2,trials=2", 60},
		{"near", "every=25,place=near,left=work,speed=oracle", 60},
		{"emptiest", "every=30,place=emptiest,left=estimate", 60},
		{"simulator", "mode=simulator", 60},
		{"simulator, short", "mode=simulator,every=7", 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Seeds: c.seeds, Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}

// parse says what is wrong with settings.
func parse(text string) error {
	_, err := New(param.Parse("policy optimus", text), cluster.BestFit)
	return err
}
