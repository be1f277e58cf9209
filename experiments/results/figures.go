package results

import (
	"context"
	"strings"

	"tarry/internal/digest"
	rows "tarry/internal/results"
	"tarry/internal/sweep"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewLearned(d, shown(evals), "learner")
	b.Relative("jct_relative", "Mean completion time against Dally on windows that training never saw.", "setting", "learner", "jct_mean_s", "dally", "setting")
	b.Relative("queue_p99_relative", "99th percentile of the queueing delay against Dally.", "setting", "learner", "queue_p99_s", "dally", "setting")
	curves, err := sweep.Rows[rows.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	for _, place := range b.Values("setting") {
		b.Curves("validation_"+place, "Return on validation windows, "+place+".", "learner", "return on validation", curves,
			func(c *sweep.Cell) bool { return c.Axes["setting"] == place }, func(r *rows.Curve) float64 { return r.Validation })
	}
	return b.Figures()
}

// isPair tells the fixed timers of the bound.
func isPair(policy string) bool { return strings.HasPrefix(policy, "dally-manual:") }

// shown leaves out what would bury the bars of the others: the pairs of the bound and Tiresias, which the tables have.
func shown(all []rows.Eval) []rows.Eval {
	var out []rows.Eval
	for _, r := range all {
		if !(r.Agent == "" && (isPair(r.Policy) || r.Policy == "tiresias")) {
			out = append(out, r)
		}
	}
	return out
}

// tables fills docs/results.md.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	p := digest.Pages{Book: digest.NewLearned(d, evals, "learner"), X: "setting", Series: "learner", Base: "dally", Fold: isPair, FoldName: "best static timers, with hindsight"}
	plain := p // the best of each unit is only one thing where less is better
	plain.Keep = func(series string) bool { return series != p.FoldName }
	out := map[string]string{}
	for name, make := range map[string]func() (string, error){
		"jct_mean":           func() (string, error) { return plain.Means("jct_mean_s", 2) },
		"jct_relative":       func() (string, error) { return p.Relative("jct_mean_s") },
		"jct_p99_relative":   func() (string, error) { return plain.Relative("jct_p99_s") },
		"queue_p99_relative": func() (string, error) { return p.Relative("queue_p99_s") },
		"makespan_relative":  func() (string, error) { return plain.Relative("makespan_s") },
		"comm_frac":          func() (string, error) { return plain.Means("comm_frac", 3) },
		"preemptions":        func() (string, error) { return plain.Means("preemptions", 2) },
		"improvement":        func() (string, error) { return plain.Share("jct_mean_s") },
	} {
		if out[name], err = make(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
