package results

import (
	"context"
	"slices"
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
	for _, part := range parts() {
		one := b.Where(func(c *sweep.Cell) bool { return slices.Contains(part.settings, c.Axes["setting"]) })
		if len(one.Values("setting")) == 0 {
			continue
		}
		one.Relative("jct_relative_"+part.name, "Mean completion time against Dally on unseen windows.", "setting", "learner", "jct_mean_s", "dally", "setting")
		one.Relative("queue_p99_relative_"+part.name, "99th percentile of the queueing delay against Dally.", "setting", "learner", "queue_p99_s", "dally", "setting")
	}
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

// parts are what one figure has room for.
func parts() []struct {
	name     string
	settings []string
} {
	return []struct {
		name     string
		settings []string
	}{
		{"synth", []string{"synth-0.5", "synth-0.7", "synth-0.9", "synth-1.1"}},
		{"other", []string{"contended-0.9", "batch-list", "philly-64", "synth-0.9-512", "philly-128"}},
	}
}

// shown keeps what one figure has room for: what was learned, Dally, Dally without waits, and SRTF. The tables have all.
func shown(all []rows.Eval) []rows.Eval {
	var out []rows.Eval
	for _, r := range all {
		if r.Agent != "" || slices.Contains([]string{"dally", "dally-nowait", "srtf"}, r.Policy) {
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
