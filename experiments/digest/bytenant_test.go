package digest

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// A book by tenant has the means of what the table measures states of each, and the tenants as an
// axis.
func TestByTenant(t *testing.T) {
	ctx := context.Background()
	spec := sweep.Spec{Name: "x", Kind: "simulate", Seeds: sweep.FirstSeeds(2),
		Axes: []sweep.Axis{{Name: "policy", Values: []string{"fifo", "las"}}},
		Base: sweep.Settings{"trace": "synth:demo,jobs=40,vcs=2,apart=1", "cluster": "1x2x8", "speed": "counting",
			"tenants": "vc"}}
	d := played(t, filepath.Join(t.TempDir(), "sweep"), spec)
	book, err := OpenBook(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	by, err := book.ByTenant(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	if got := by.Values(TenantAxis); len(got) != 2 || got[0] != "vc1" || got[1] != "vc2" ||
		book.has("delay_wait_mean_s") || !by.has("delay_wait_mean_s") {
		t.Fatalf("tenants %v", got)
	}
	table, err := by.table(TenantAxis, "policy", "ftf_mean")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := sweep.Rows[results.Measure](ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0.0, 0.0
	for _, r := range rows {
		if c, ok := d.Cell(r.Keys); ok && r.Name == "ftf_mean" && r.Of == "vc2" && c.Axes["policy"] == "las" {
			sum, n = sum+r.Value, n+1
		}
	}
	if s := table.Means(); n != 2 || len(s) != 2 || math.Abs(s[1].Y[1]-sum/n) > 1e-12 {
		t.Errorf("means %v, expected %v of vc2 under las, of %v rows", s, sum/n, n)
	}
	by.Means("a", "a", TenantAxis, "policy", "delay_wait_mean_s", "tenant")
	by.Where(func(c *sweep.Cell) bool { return c.Axes[TenantAxis] == "vc1" }).Means("b", "b", "policy", "",
		"queue_mean_s", "policy")
	if figures, err := by.Figures(); err != nil || len(figures) != 2 {
		t.Errorf("%d figures, %v", len(figures), err)
	}
}
