package elasticflow

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func policy(t testing.TB, params string) func() sim.Policy {
	t.Helper()
	return func() sim.Policy {
		s := param.Parse("policy elasticflow", params)
		p, err := New(s, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

func TestConformance(t *testing.T) {
	for _, params := range []string{"", "slot_s=0", "slot_s=7,surplus=most,place=near", "variant=ef,surplus=none", "variant=edf", "variant=edf-accessctrl,slot_s=0"} {
		t.Run(params, func(t *testing.T) { simtest.Policy(t, policy(t, params), simtest.Options{Seeds: 40}) })
	}
}
