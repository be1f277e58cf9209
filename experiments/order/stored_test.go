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

// stored are the rules whose rows are stored.
func stored(t *testing.T) (*sweep.Data, []rows.Tune) {
	t.Helper()
	var dirs []string
	for name, cells := range grid(t) {
		if cells[0].Kind == "tune" {
			dirs = append(dirs, filepath.Join("../results/data", name))
		}
	}
	slices.Sort(dirs)
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := sweep.Rows[rows.Tune](context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return d, tuned
}

// least is the least number of each learner's candidates on validation, by setting.
func least(d *sweep.Data, tuned []rows.Tune, of func(*rows.Tune) float64) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for i := range tuned {
		at, who := d.Axis(tuned[i].Keys, "setting"), d.Axis(tuned[i].Keys, "learner")
		if tuned[i].Stage != "validation" {
			continue
		}
		if out[at] == nil {
			out[at] = map[string]float64{}
		}
		if was, ok := out[at][who]; !ok || of(&tuned[i]) < was {
			out[at][who] = of(&tuned[i])
		}
	}
	return out
}

// chosen checks that the rule that validation chose has the least number of all, for every setting.
func chosen(t *testing.T, d *sweep.Data, tuned []rows.Tune, of func(*rows.Tune) float64) {
	t.Helper()
	got := byValidation(d, tuned)
	if len(got) != len(settings()) {
		t.Errorf("%d settings have a rule, expected %d", len(got), len(settings()))
	}
	all := least(d, tuned, of)
	for at, name := range got {
		for who, v := range all[at] {
			if !(v >= all[at][name]) {
				t.Errorf("%s: %s was chosen with %g, %s has %g", at, name, all[at][name], who, v)
			}
		}
	}
}

// TestChosenAmongStored: all stored rules were tuned on the cost that searches make small, on the
// windows of validation that all have. The chosen rule has the least.
func TestChosenAmongStored(t *testing.T) {
	d, tuned := stored(t)
	windows := map[string]int64{}
	for i := range tuned {
		if tuned[i].Stage != "validation" {
			continue
		}
		at := d.Axis(tuned[i].Keys, "setting")
		c, _ := d.Cell(tuned[i].Keys)
		if math.IsNaN(tuned[i].Cost) || c.Settings["cost"] != nil || tuned[i].Metric != "jct_mean" {
			t.Fatalf("%s of %s: metric %s, cost %g by %v, expected that ratios to Dally are stated",
				d.Axis(tuned[i].Keys, "learner"), at, tuned[i].Metric, tuned[i].Cost, c.Settings["cost"])
		}
		if n, ok := windows[at]; ok && n != tuned[i].Windows {
			t.Errorf("%s: rules have %d and %d windows of validation", at, n, tuned[i].Windows)
		}
		windows[at] = tuned[i].Windows
	}
	chosen(t, d, tuned, func(r *rows.Tune) float64 { return r.Cost })
}

// TestChosenAmongScales: where one rule states no cost, as an earlier version did, or one on
// another scale, ratios are not held against seconds: the chosen one has the least seconds.
func TestChosenAmongScales(t *testing.T) {
	for name, other := range map[string]func(*rows.Tune){
		"no cost":        func(r *rows.Tune) { r.Cost = math.NaN() },
		"another metric": func(r *rows.Tune) { r.Cost, r.Metric = r.Cost/1000, "queue_mean" },
	} {
		t.Run(name, func(t *testing.T) {
			d, tuned := stored(t)
			for i := range tuned {
				if d.Axis(tuned[i].Keys, "learner") == "las-tuned" {
					other(&tuned[i])
				}
			}
			chosen(t, d, tuned, func(r *rows.Tune) float64 { return r.Mean })
		})
	}
}
