package config

import (
	"context"
	"slices"
	"testing"

	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// TestBuiltOncePerTrial counts how often a policy is made: once for each trial, the check of its
// settings included.
func TestBuiltOncePerTrial(t *testing.T) {
	made, from := 0, fewPolicies()
	from.Policies = slices.Clone(from.Policies)
	for i, e := range from.Policies {
		from.Policies[i].New = func(s *param.Set, rule cluster.Rule) (sim.Policy,
			error) {
			made++
			return e.New(s, rule)
		}
	}
	c := base()
	c.Policies, c.Replicates = []string{"fifo", "tiresias"}, 3
	s, err := Build(c, from)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[sim.Policy]bool{}
	trials := s.Trials()
	for i := range trials {
		policy := trials[i].Policy
		trials[i].Policy = func() (sim.Policy, error) {
			p, err := policy()
			if seen[p] {
				t.Errorf("trial %d has the policy of another", i)
			}
			seen[p] = true
			return p, err
		}
	}
	if _, err := trial.Run(context.Background(), trials, trial.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if made != len(trials) {
		t.Errorf("%d trials made %d policies", len(trials), made)
	}
}
