package experiments_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/shipped"
	"tarry/experiments/forms"
	"tarry/experiments/order"
	"tarry/experiments/questions"
	"tarry/experiments/results"
	"tarry/experiments/sweep"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// placeless reports whether a scheduler states nothing of places and could take a rule of them.
func placeless(t *testing.T, spec string) bool {
	t.Helper()
	e, _, err := schedulers.All().Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return !strings.Contains(spec, "place=") && slices.ContainsFunc(e.Settings(), func(s param.Setting) bool {
		return s.Key == "place" && s.Default == forms.Places()[0]
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
			cells, err := s.Cells(shipped.All())
			if err != nil {
				t.Fatal(err)
			}
			for i := range cells {
				c := &cells[i]
				if c.Kind != "tune" {
					continue
				}
				if c.Settings["optimiser"] == "grid" {
					chosen[fmt.Sprint(c.Settings["policy"])] = true
					all := fmt.Sprint(len(forms.Places()))
					if got := fmt.Sprint(c.Settings["params"], c.Settings["budget"], c.Settings["candidates"]); got !=
						fmt.Sprint(map[string]any{"place": forms.Places()}, all, all) {
						t.Errorf("%s: %s, %s: a grid of %s, want all of %q", q.Name, s.Name, c.ID, got, forms.Places())
					}
				}
				how, _ := c.Settings["evaluate"].(map[string]any)
				beside, _ := how["baselines"].([]any)
				for _, b := range beside {
					plain[b.(string)] = plain[b.(string)] || placeless(t, b.(string))
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
