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
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "optimus", New, o.Named([][2]string{
		{"defaults", ""},
		{"short", "every=25,epochs=3/8,window=3,points=4,fade=2,trials=2"},
		{"near", "every=25,place=near,left=work,speed=oracle"},
		{"emptiest", "every=30,place=emptiest,left=estimate"},
	}))
}

// parse reports what is wrong with settings.
func parse(text string) error {
	_, err := New(param.Parse("policy optimus", text), cluster.BestFit)
	return err
}
