package picked

import (
	"context"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

// half is the settings without or with backfilling, whose rivals have other names.
type half struct {
	suffix, words string
	backfill      bool
}

func halves() []half {
	return []half{{"", "without backfilling", false}, {"_backfill", "with backfilling", true}}
}

// of gives the part of a book that is the half's.
func (h *half) of(b *digest.Book) *digest.Book {
	return b.Where(func(c *sweep.Cell) bool { return strings.HasSuffix(c.Axes["setting"], backfilled) == h.backfill })
}

// base is SJF, which differences are to.
func (h *half) base() string { return rivals(h.backfill)[0] }

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	evals, err := sweep.Rows[results.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	curves, err := sweep.Rows[results.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	book := digest.NewLearned(d, evals, "learner")
	for _, h := range halves() {
		b := h.of(book)
		b.Relative("bsld_relative"+h.suffix, "Mean bounded slowdown against SJF on the test windows, "+h.words+".",
			"setting", "learner", "bsld_mean", h.base(), "setting")
		b.Means("bsld_mean"+h.suffix, "Mean bounded slowdown on the test windows, "+h.words+".", "setting", "learner",
			"bsld_mean", "setting")
	}
	if len(curves) == 0 { // they are not stored
		return book.Figures()
	}
	first := book.Values("setting")[0]
	for _, name := range book.Values("learner") {
		if !slices.Contains(learners(), name) {
			continue
		}
		book.Curves("validation_"+name, "Return on validation windows of "+first+", by "+name+": a search is paid "+
			"relative to SJF, PPO by the bounded slowdown.", "learner", "return on validation", curves,
			func(c *sweep.Cell) bool { return c.Axes["setting"] == first && c.Axes["learner"] == name },
			func(r *results.Curve) float64 { return r.Validation })
	}
	return book.Figures()
}

// tables are for docs/results/order.md: means, and differences to each rival with their
// intervals.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	evals, err := sweep.Rows[results.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	book, out := digest.NewLearned(d, evals, "learner"), map[string]string{"seeds": seedTable(d, evals)}
	for _, h := range halves() {
		p := digest.Pages{Book: h.of(book), X: "setting", Series: "learner", Base: h.base()}
		if out["bsld"+h.suffix], err = p.Means("bsld_mean", 2); err != nil {
			return nil, err
		}
		var two [][2]string
		for _, l := range learners() {
			for _, r := range rivals(h.backfill)[:4] {
				two = append(two, [2]string{l, r})
			}
		}
		if out["against"+h.suffix], err = p.Against("bsld_mean", two...); err != nil {
			return nil, err
		}
	}
	return out, nil
}
