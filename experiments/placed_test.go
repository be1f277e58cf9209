package experiments_test

import (
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/experiments/order"
	"tarry/experiments/questions"
	"tarry/experiments/results"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// placeless reports whether a scheduler states nothing of places and could take a rule of them.
func placeless(t *testing.T, spec string) bool {
	t.Helper()
	e, _, err := policies.All().Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return !strings.Contains(spec, "place=") && slices.ContainsFunc(e.Settings(), func(s param.Setting) bool {
		return s.Key == "place" && s.Default == rivals.Places()[0]
	})
}

// Where rules are tuned, whatever stands beside them as it is and states nothing of places stands
// there with the placement that validation chose, too: a grid has all of them, on heavy windows as
// on others.
func TestTunedBesidePlain(t *testing.T) {
	for _, q := range (sweep.Questions{questions.Shipped("order", order.Answer),
		questions.Shipped("results", results.Answer)}).Opened() {
		plain, chosen := map[string]bool{}, map[string]bool{}
		for _, s := range q.Specs(sweep.Full) {
			if s.Kind != "tune" {
				continue
			}
			if _, ok := s.Base["params"].(sweep.Settings)["place"]; ok && s.Base["optimiser"] == "grid" {
				chosen[s.Base["policy"].(string)] = true
				if s.Base["budget"] != len(rivals.Places()) || s.Base["candidates"] != len(rivals.Places()) ||
					slices.ContainsFunc(s.Axes[0].Cases, func(c sweep.Case) bool { return c.Set["budget"] != nil }) {
					t.Errorf("%s: %s does not measure all of %q", q.Name, s.Name, rivals.Places())
				}
			}
			for _, c := range append(s.Axes[0].Cases, sweep.Case{Set: s.Base}) {
				how, _ := c.Set["evaluate"].(sweep.Settings)
				beside, _ := how["baselines"].([]string)
				for _, b := range beside {
					plain[b] = plain[b] || placeless(t, b)
				}
			}
		}
		for b, bare := range plain {
			if bare && !chosen[b] {
				t.Errorf("%s: %s is not shown with the placement that validation chose", q.Name, b)
			}
		}
		if len(chosen) == 0 {
			t.Errorf("%s chooses no placement", q.Name)
		}
	}
}
