package elastic

import (
	"slices"
	"testing"

	"tarry/catalogue/policies"
	"tarry/experiments/rivals"
	"tarry/sim/cluster"
)

// Each form has a name of its own and can be built, and stands among the schedulers of the sweep
// whose tables show it.
func TestForms(t *testing.T) {
	for _, part := range []struct {
		name     string
		all      []scheduler
		families [][]string
	}{{"others", others(), families()}, {"due", punctual(), punctualFamilies()}} {
		specs := map[string]string{}
		for _, s := range part.all {
			if specs[s.name] != "" {
				t.Errorf("%s: two schedulers are called %s", part.name, s.name)
			}
			specs[s.name] = s.policy
			_, build, err := policies.All().Parse(s.policy, cluster.BestFit)
			if err == nil {
				_, err = build()
			}
			if err != nil {
				t.Errorf("%s: %s: %v", part.name, s.name, err)
			}
		}
		names := rivals.Names(part.families)
		for _, name := range names {
			if specs[name] == "" {
				t.Errorf("%s: the form %s is not in the sweep", part.name, name)
			}
		}
		for _, f := range part.families {
			if len(f) < 2 ||
				slices.ContainsFunc(f[1:], func(form string) bool { return specs[form] == specs[f[0]] }) {
				t.Errorf("%s: %q has no form but the plain one", part.name, f)
			}
		}
	}
}

// The sweep over costs has the published forms and the two that its table shows beside them.
func TestCostly(t *testing.T) {
	var got []string
	for _, s := range costly() {
		got = append(got, s.name)
	}
	if want := []string{"elasticflow", "elasticflow-near", "elasticflow-open", "elastic-edf-admit", "elastic-edf",
		"edf-admit", "edf-admit-near", "edf", "dally", "all", "tiresias", "afs-l"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
