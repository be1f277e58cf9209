package config

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// A policy that costs minutes by nature is named before the run, unless the jobs are few or the
// spec bounds the cost.
func TestCostlyPoliciesAreNamed(t *testing.T) {
	slow := func(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
		s.Int("rounds", 1, 1, 9)
		s.Int("other", 1, 1, 9)
		return fewPolicies().Policies[0].New(s, cluster.BestFit)
	}
	for _, c := range []struct {
		spec string
		ms   float64
		want string
	}{
		{"fifo", 0, ""},
		{"slow", 100, ""},
		{"slow", 1e4, "policy slow: warning: 12 jobs may take 2 minutes of a processor: a search; lower with rounds"},
		{"slow:other=2", 1e6, "may take 3 hours of a processor"},
		{"slow:rounds=2", 1e6, ""},
	} {
		from := fewPolicies()
		from.Policies = append(from.Policies[:len(from.Policies):len(from.Policies)], entry.Policy{Name: "slow", New: slow,
			Cost: entry.Cost{JobMs: c.ms, Why: "a search", Bounds: []string{"rounds"}}})
		cfg := base()
		cfg.Trace, cfg.Replicates, cfg.Policies = "synth:demo,jobs=6", 2, []string{c.spec}
		s, err := Build(cfg, from)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Notes, "\n"); !strings.Contains(got, c.want) ||
			(c.want == "") == strings.Contains(got, "of a processor") {
			t.Errorf("%s at %v ms a job: notes %q, expected %q", c.spec, c.ms, got, c.want)
		}
	}
}
