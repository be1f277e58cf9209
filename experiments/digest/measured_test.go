package digest

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

// A sweep whose jobs have deadlines is drawn with the deadlines met, whose numbers are from the
// table measures; one without them is not.
func TestMeasuredFigures(t *testing.T) {
	for _, law := range []map[string]any{{"min": "0.5", "max": "1.5"}, nil} {
		dir := filepath.Join(t.TempDir(), "sweep")
		base := sweep.Settings{"trace": "synth:demo,jobs=30", "cluster": "1x1x8", "speed": "counting"}
		axes := []sweep.Axis{{Name: "policy", Values: []string{"fifo", "srtf"}}}
		if law != nil {
			base["deadlines"] = law
			axes = append([]sweep.Axis{{Name: "deadlines.tightness", Values: []string{"1", "4"}}}, axes...)
		}
		spec := sweep.Spec{Name: "x", Kind: "simulate", Base: base, Axes: axes, Seeds: sweep.FirstSeeds(2)}
		d := played(t, dir, spec)
		ctx := context.Background()
		book, err := OpenBook(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		with, err := book.Measured(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		figures, err := Generic(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		drawn := false
		for _, f := range figures {
			drawn = drawn || f.Name == "satisfied_frac"
		}
		if with.has("satisfied_frac") != (law != nil) || drawn != (law != nil) || book.has("satisfied_frac") {
			t.Fatalf("law %v: the metric is there %v, drawn %v", law, with.has("satisfied_frac"), drawn)
		}
		if law == nil {
			continue
		}
		table, err := with.table("deadlines.tightness", "policy", "satisfied_frac")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := sweep.Rows[results.Measure](ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		sum, n := 0.0, 0.0
		for _, r := range rows {
			if c, ok := d.Cell(r.Keys); ok && r.Name == "satisfied_frac" && c.Axes["policy"] == "srtf" &&
				c.Axes["deadlines.tightness"] == "4" {
				sum, n = sum+r.Value, n+1
			}
		}
		if s := table.Means(); n != 2 || math.Abs(s[1].Y[1]-sum/n) > 1e-12 || s[1].Y[1] < s[1].Y[0] {
			t.Errorf("means %v, expected %v at tightness 4 of srtf, of %v rows, and no less than at 1", s, sum/n, n)
		}
	}
}

// Deadlines met are compared though one policy turned jobs away that the other finished: such a job
// counts as one that missed.
func TestMeasuredWithAdmission(t *testing.T) {
	d := played(t, filepath.Join(t.TempDir(), "sweep"), sweep.Spec{Name: "x", Kind: "simulate",
		Seeds: sweep.FirstSeeds(2),
		Base: sweep.Settings{"trace": "synth:demo,jobs=30", "cluster": "1x1x8", "speed": "counting",
			"deadlines": "tightness=1,min=0.5,max=1.5"},
		Axes: []sweep.Axis{{Name: "policy", Values: []string{"fifo", "deadline-first:admission=on"}}}})
	book, err := OpenBook(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if book, err = book.Measured(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"satisfied_frac", "satisfied_admitted_frac", "deadline_rejected"} {
		table, err := book.table("", "policy", name)
		if err != nil || table.Uneven != 0 || len(table.Means()) != 2 {
			t.Errorf("%s: %v, %+v", name, err, table)
		}
	}
	if _, err := book.table("", "policy", "tardiness_mean_s"); err == nil {
		t.Error("the tardiness of other jobs is compared")
	}
}

// played plans and runs a sweep.
func played(t *testing.T, dir string, spec sweep.Spec) *sweep.Data {
	t.Helper()
	f, err := sweep.Plan(shipped.All(), dir, spec, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Len() {
		if err := f.Work(context.Background(), i, sweep.WorkOptions{Version: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Gather(context.Background(), "test"); err != nil {
		t.Fatal(err)
	}
	d, err := sweep.OpenData(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// has reports whether the book has a metric.
func (b *Book) has(name string) bool {
	_, err := b.find(name)
	return err == nil
}
