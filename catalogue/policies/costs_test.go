package policies_test

import (
	"slices"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/schedulers"
)

// Each cost is a policy's, states why, and is bounded by settings that the policy has.
func TestCosts(t *testing.T) {
	left := policies.Costed()
	for _, e := range schedulers.All() {
		c := e.Cost
		delete(left, e.Name)
		if c.JobMs == 0 && c.Why == "" && c.Bounds == nil {
			continue
		}
		if !(c.JobMs > 0) || c.Why == "" || len(c.Bounds) == 0 {
			t.Errorf("%s: cost %+v, expected a time, a reason and settings", e.Name, c)
		}
		var keys []string
		for _, s := range e.Settings() {
			keys = append(keys, s.Key)
		}
		for _, b := range c.Bounds {
			if !slices.Contains(keys, b) {
				t.Errorf("%s: its cost is bounded by %q, expected some of %v", e.Name, b, keys)
			}
		}
	}
	for name := range left {
		t.Errorf("a cost of %q, which is no policy", name)
	}
}
