package baselines_test

import (
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/sim/cluster"
)

// Every policy takes a label, and a wrong one is reported where it stands.
func TestEveryPolicyTakesALabel(t *testing.T) {
	all := shipped.All().Policies
	for _, e := range all {
		bare, err := all.Build(e.Name, cluster.BestFit)
		if err != nil {
			continue // it needs a setting
		}
		with, err := all.Build(e.Name+":label=For readers", cluster.BestFit)
		if err != nil || with.Knows() != bare.Knows() {
			t.Errorf("%s with a label: %v", e.Name, err)
		}
		for _, s := range e.Settings() {
			if s.Key == "label" {
				t.Errorf("%s has a setting called label of its own", e.Name)
			}
		}
	}
	for spec, want := range map[string]string{
		"fifo:label=":         `policy fifo: label is "", expected a name of 1..40 printable characters`,
		"fifo:label=a,label=": "label appears twice",
		"dally:lable=x":       `did you mean "label"?`,
	} {
		if _, err := all.Build(spec, cluster.BestFit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", spec, err, want)
		}
	}
}
