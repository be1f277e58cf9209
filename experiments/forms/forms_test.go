package forms_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/shipped"
	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/sim/cluster"
)

// Each order stands beside its forms with a rule of places, and all can be built.
func TestPlaced(t *testing.T) {
	got := forms.Names(forms.Placed("las", "srtf", "easy", "fifo-fit", "fifo"))
	if len(got) != 15 || !slices.Equal(got[:3], []string{"las", "las:place=consolidate", "las:place=delay"}) {
		t.Fatalf("%q", got)
	}
	for _, spec := range got {
		if _, build, err := policies.All().Parse(spec, cluster.BestFit); err != nil {
			t.Error(err)
		} else if _, err := build(); err != nil {
			t.Error(err)
		}
	}
}

// Seeds of validation are other seeds than tables'.
func TestSeeds(t *testing.T) {
	if got := seeds(2, 2); !slices.Equal(got, []uint64{1, 2, 1001, 1002}) {
		t.Errorf("%v", got)
	}
}

// planned is a sweep of which nothing is run, with a row per cell whose mean completion time, in
// hours, is from f.
func planned(t *testing.T, seeds []uint64, f func(c *sweep.Cell) float64) *digest.Book {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sweep")
	spec := sweep.Spec{Name: "x", Kind: "simulate", Base: sweep.Settings{"trace": "synth:demo,load={load}"},
		Seeds: seeds, Axes: []sweep.Axis{
			{Name: "load", Values: []string{"0.5", "0.9"}},
			{Name: "policy", Values: append([]string{"dally"}, forms.Names(forms.Placed("las", "srtf"))...)}}}
	if _, err := sweep.Plan(shipped.All(), dir, spec, "test", false); err != nil {
		t.Fatal(err)
	}
	d, err := sweep.OpenData(dir)
	if err != nil {
		t.Fatal(err)
	}
	var rows []results.Trial
	for i := range d.Folders[0].Len() {
		c, err := d.Folders[0].Cell(i)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, results.Trial{Keys: results.Keys{Experiment: "x", Cell: c.ID, Policy: c.Axes["policy"]},
			Summary: results.Summary{JCTMean: f(&c) * 3600}})
	}
	return digest.NewBook(d, rows)
}

// hours are such that the rows of tables would choose any for las and delay for srtf, and the rows
// of validation consolidate and any.
func hours(c *sweep.Cell) float64 {
	validation := map[string]float64{"las": 3, "las:place=consolidate": 2, "las:place=delay": 4, "srtf": 1,
		"srtf:place=consolidate": 2, "srtf:place=delay": 3, "dally": 9}
	tables := map[string]float64{"las": 1, "las:place=consolidate": 20, "las:place=delay": 4, "srtf": 7,
		"srtf:place=consolidate": 6, "srtf:place=delay": 5, "dally": 10}
	if c.Seed > 1000 {
		return validation[c.Axes["policy"]]
	}
	return tables[c.Axes["policy"]]
}

// The choice is made from rows of validation alone, and tables have other rows alone.
func TestChooseOnValidation(t *testing.T) {
	families := forms.Placed("las", "srtf")
	b, err := planned(t, seeds(3, 2), hours).Chosen("load", "policy", "jct_mean_s", families, forms.Validates)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Values("policy"); !slices.Equal(got, []string{"dally", "las", "las:place=consolidate", "srtf"}) {
		t.Errorf("shown %q", got)
	}
	table, err := (&digest.Pages{Book: b, X: "load", Series: "policy", Base: "dally"}).Relative("jct_mean_s")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"| las | -90.0", "| las:place=consolidate† | 100.0", "| srtf† | -30.0",
		"\n† the form that validation chose"} {
		if !strings.Contains(table, row) {
			t.Errorf("no %q in\n%s", row, table)
		}
	}
	b.Means("mean", "Mean.", "load", "policy", "jct_mean_s", "load")
	figures, err := b.Figures()
	if err != nil || len(figures) != 1 || !strings.Contains(figures[0].Caption,
		"Validation chose, on other seeds, las:place=consolidate, srtf.") {
		t.Errorf("figures %+v, %v", figures, err)
	}
}

// Without rows of validation nothing is chosen, and all forms are shown.
func TestChooseWithoutValidation(t *testing.T) {
	b, err := planned(t, sweep.FirstSeeds(2), hours).Chosen("load", "policy", "jct_mean_s",
		forms.Placed("las", "srtf"), forms.Validates)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Values("policy"); len(got) != 7 {
		t.Errorf("shown %q, expected all seven", got)
	}
}

// Chosen at each value by itself, the mark stands behind the number there, and all forms are shown.
func TestChooseAtEach(t *testing.T) {
	with := func(c *sweep.Cell) float64 {
		if v := hours(c); c.Seed < 1000 || c.Axes["load"] == "0.5" {
			return v
		}
		return 10 - hours(c) // the last of validation is the first
	}
	b, err := planned(t, seeds(3, 2), with).ChosenAt("load", "policy", "jct_mean_s",
		forms.Placed("las", "srtf"), forms.Validates)
	if err != nil {
		t.Fatal(err)
	}
	table, err := (&digest.Pages{Book: b, X: "load", Series: "policy", Base: "dally"}).Means("jct_mean_s", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"| las | 1 [1, 1] | 1 [1, 1] |", "| las:place=consolidate | 20 [20, 20]† | 20 " +
		"[20, 20] |", "| las:place=delay | 4 [4, 4] | 4 [4, 4]† |",
		"| srtf | 7 [7, 7]† | 7 [7, 7] |", "| srtf:place=delay | 5 [5, 5] | 5 [5, 5]† |",
		"\n† the form that validation chose there.\n"} {
		if !strings.Contains(table, row) {
			t.Errorf("no %q in\n%s", row, table)
		}
	}
	b.Means("mean", "Mean.", "load", "policy", "jct_mean_s", "load")
	figures, err := b.Figures()
	if want := "Validation chose, on other seeds, at 0.5 las:place=consolidate, srtf; at 0.9 las:place=delay, " +
		"srtf:place=delay."; err != nil || len(figures) != 1 || !strings.Contains(figures[0].Caption, want) {
		t.Errorf("figures %+v, %v", figures, err)
	}
}

// seeds gives as many seeds for tables, from 1, and for validation, from 1001.
func seeds(tables, validation int) []uint64 {
	return slices.Concat(sweep.FirstSeeds(tables), forms.Validation(validation))
}
