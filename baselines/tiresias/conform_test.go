package tiresias

import (
	"testing"

	"tarry/internal/param"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, make func(*param.Set, cluster.Rule) (sim.Policy, error), text string) func() sim.Policy {
	t.Helper()
	build := func() sim.Policy {
		p, err := make(param.Parse("policy tiresias", text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	build()
	return build
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		make       func(*param.Set, cluster.Rule) (sim.Policy, error)
	}{
		{"defaults", "", New},
		{"short queues, promotion", "queues=2/5/9,promote=1.5", New},
		{"leftovers", "queues=3,skew_unknown=0", New},
		{"gittins", "queues=4/20", NewGittins},
		{"gittins, promotion", "queues=2/5/9,promote=0.5,packlimit=inf", NewGittins},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.make, c.text), simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob})
		})
	}
}
