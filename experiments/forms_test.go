package experiments

import (
	"slices"
	"testing"

	"tarry/catalogue/questions"
	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
)

// Every form of a scheduler of which validation chooses one is in a sweep of the question with seeds
// or windows of validation and in one without, under a name of its own, and the forms of one
// scheduler are different policies.
func TestFormsAreSwept(t *testing.T) {
	asked := 0
	for _, q := range questions.All().Opened() {
		if len(q.Forms) == 0 {
			continue
		}
		asked++
		shown, chosen := map[string]string{}, map[string]string{}
		for _, s := range q.Specs(sweep.Full) {
			cells, err := s.Cells(shipped.All())
			if err != nil {
				t.Fatal(err)
			}
			series := s.Axes[len(s.Axes)-1].Name
			for i := range cells {
				policy, _ := cells[i].Settings["policy"].(string)
				to := shown
				if cells[i].Seed > 1000 {
					to = chosen
				}
				to[cells[i].Axes[series]] = policy
			}
		}
		for _, family := range q.Forms {
			var policies []string
			for _, form := range family {
				if shown[form] == "" || shown[form] != chosen[form] {
					t.Errorf("%s: form %s is %q in the tables and %q on validation", q.Name, form, shown[form],
						chosen[form])
				}
				policies = append(policies, shown[form])
			}
			slices.Sort(policies)
			if n := len(slices.Compact(policies)); n != len(family) {
				t.Errorf("%s: %q are %d policies", q.Name, family, n)
			}
		}
	}
	if asked < 8 {
		t.Errorf("%d questions with forms, want eight or more", asked)
	}
}
