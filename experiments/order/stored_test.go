package order

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// TestChosenAmongStored: the stored rules were tuned by two versions, of which the earlier states seconds alone. The one that validation chose has the
// least seconds of all: a cost that is a ratio is not held against them.
func TestChosenAmongStored(t *testing.T) {
	var dirs []string
	for _, r := range rules() {
		dirs = append(dirs, filepath.Join("../results/data", "order-"+r.name))
	}
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := sweep.Rows[rows.Tune](context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	stated := func(t rows.Tune) bool { return !math.IsNaN(t.Cost) }
	if !slices.ContainsFunc(tuned, stated) || !slices.ContainsFunc(tuned, func(t rows.Tune) bool { return !stated(t) }) {
		t.Skip("the stored rules are of one version")
	}
	least := map[string]map[string]float64{}
	for i := range tuned {
		at, who := d.Axis(tuned[i].Keys, "setting"), d.Axis(tuned[i].Keys, "learner")
		if tuned[i].Stage != "validation" {
			continue
		}
		if least[at] == nil {
			least[at] = map[string]float64{}
		}
		if was, ok := least[at][who]; !ok || tuned[i].Mean < was {
			least[at][who] = tuned[i].Mean
		}
	}
	got := byValidation(d, tuned)
	if len(got) != len(settings()) {
		t.Errorf("%d settings have a rule, expected %d", len(got), len(settings()))
	}
	for at, name := range got {
		for who, mean := range least[at] {
			if mean < least[at][name] {
				t.Errorf("%s: %s was chosen with %g s, %s has %g s", at, name, least[at][name], who, mean)
			}
		}
	}
}
