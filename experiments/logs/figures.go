package logs

import (
	"context"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// loads are the two halves of the settings: the logs as they are, and at 1.05 of their machine.
func loads() []load {
	return []load{{"", "as it is", false}, {"_busy", "at 1.05 of its machine", true}}
}

// load is a half of the settings; suffix ends the names of its figures and tables.
type load struct {
	suffix, words string
	busy          bool
}

// of is the part of a book at the load; false where no cell has it.
func (l *load) of(b *digest.Book) (*digest.Book, bool) {
	here := b.Where(func(c *sweep.Cell) bool { return busy(c.Axes["setting"]) == l.busy })
	return here, len(here.Values("setting")) > 0
}

// busy reports whether a setting has the higher load.
func busy(name string) bool { return strings.HasSuffix(name, "-busy") }

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	book := digest.NewLearned(d, evals, "learner")
	for _, l := range loads() {
		b, ok := l.of(book)
		if !ok {
			continue
		}
		b = b.Only(func(series string) bool {
			return series == base || slices.Contains([]string{"easy", "rule", "rule-preemptive", "elsewhere",
				"elsewhere-preemptive"}, series)
		})
		b.Relative("jct_relative"+l.suffix, "Mean completion time against EASY by requests on unseen windows of "+
			"each log, "+l.words+".", "setting", "learner", "jct_mean_s", base, "log")
		b.Relative("bsld_relative"+l.suffix, "Mean bounded slowdown against EASY by requests, "+l.words+".", "setting",
			"learner", "bsld_mean", base, "log")
		b.Relative("queue_p99_relative"+l.suffix, "99th percentile of the wait against EASY by requests, "+l.words+".",
			"setting", "learner", "queue_p99_s", base, "log")
	}
	if err := drawUsers(ctx, d, book); err != nil {
		return nil, err
	}
	return book.Figures()
}
