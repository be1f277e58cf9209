package digest

import (
	"strings"
	"testing"

	"tarry/experiments/sweep"
)

// A point is called overloaded when the queue grows in more than half of its runs, below tables by
// name and below figures by number.
func TestOverloaded(t *testing.T) {
	d := data(t, "simulate")
	all := rows(d, func(*sweep.Cell) float64 { return 1 })
	for i := range all {
		c, _ := d.Cell(all[i].Keys)
		switch {
		case c.Axes["policy"] == "dally" && c.Seed == 1, c.Axes["policy"] == "fifo" && c.Axes["load"] == "0.9" &&
			c.Seed > 1:
			all[i].OverloadGPUs = 7
		}
	}
	b := NewBook(d, all)
	p := Pages{Book: b, X: "load", Series: "policy", Base: "dally"}
	text, err := p.Means("jct_mean_s", 1)
	if want := "\nOverloaded, the queue grows until the last arrival and means depend on the length of the run: " +
		"fifo at 0.9 (2 of 3).\n"; err != nil || !strings.HasSuffix(text, want) {
		t.Errorf("%q, %v, expected %q at its end", text, err, want)
	}
	p.X = ""
	one := p
	one.Book = b.Where(func(c *sweep.Cell) bool { return c.Axes["load"] == "0.9" })
	if text, err = one.Means("jct_mean_s", 1); err != nil || !strings.HasSuffix(text, "of the run: fifo (2 of 3).\n") {
		t.Errorf("%q, %v, expected fifo (2 of 3) at its end", text, err)
	}
	b.Means("m", "Means.", "load", "policy", "jct_mean_s", "load")
	figures, err := b.Figures()
	if want := "At 1 of 4 points the queue grows until the last arrival (overloaded)"; err != nil ||
		!strings.Contains(figures[0].Caption, want) {
		t.Errorf("%v, %v, expected %q", figures, err, want)
	}
}
