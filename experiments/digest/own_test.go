package digest

import (
	"testing"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// A metric of the book's own is from the function, not from a column; the book that it was added
// to does not have it.
func TestAdding(t *testing.T) {
	d := data(t, "simulate")
	book := NewBook(d, rows(d, func(*sweep.Cell) float64 { return 1 }))
	with := book.Adding("own", "an own metric", func(k results.Keys) float64 { return float64(len(k.Policy)) })
	table, err := with.table("load", "policy", "own")
	if err != nil {
		t.Fatal(err)
	}
	if s := table.Means(); s[0].Y[0] != 5 || s[1].Y[1] != 4 {
		t.Errorf("means %v and %v, want the lengths of dally and fifo", s[0].Y, s[1].Y)
	}
	if jct, err := with.table("load", "policy", "jct_mean_s"); err != nil || jct.Means()[0].Y[0] != 1 {
		t.Errorf("the column: %v", err)
	}
	if _, err := book.table("load", "policy", "own"); err == nil {
		t.Error("the first book knows the metric of its part")
	}
	with.Means("own", "Own.", "load", "policy", "own", "load")
	if figures, err := with.Figures(); err != nil || len(figures) != 1 {
		t.Errorf("%d figures, %v", len(figures), err)
	}
}
