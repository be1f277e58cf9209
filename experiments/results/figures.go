package results

import (
	"context"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewLearned(d, shown(d, evals), "learner")
	for _, part := range parts() {
		one := b.Where(func(c *sweep.Cell) bool { return strings.HasSuffix(c.Axes["setting"], "-"+part) })
		if len(one.Values("setting")) == 0 {
			continue
		}
		one.ShownX = func(setting string) string { return strings.TrimSuffix(setting, "-"+part) }
		on := strings.Replace(part, "-", " GPUs, speeds ", 1)
		one.Relative("jct_relative_"+part, "Mean completion time against Dally on unseen windows, "+on+".", "setting",
			"learner", "jct_mean_s", "dally", "setting")
		one.Relative("queue_p99_relative_"+part, "99th percentile of the queueing delay against Dally, "+on+".",
			"setting", "learner", "queue_p99_s", "dally", "setting")
	}
	curves, err := sweep.Rows[rows.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	for _, place := range b.Values("setting") {
		b.Curves("validation_"+place, "Return on validation windows, "+place+".", "learner", "return on validation",
			curves,
			func(c *sweep.Cell) bool { return c.Axes["setting"] == place },
			func(r *rows.Curve) float64 { return r.Validation })
	}
	return b.Figures()
}

// isFixed recognises the fixed timers of the bound.
func isFixed(policy string) bool { return strings.HasPrefix(policy, "dally-manual:") }

// parts are what one figure has room for: the ends of the names of settings, GPUs and speeds.
func parts() []string {
	return []string{"64-collective", "64-contended", "512-collective", "512-contended"}
}

// shown keeps what one figure has room for, on the settings that agents were trained on: five of
// what was learned, and the rule. The tables have all.
func shown(d *sweep.Data, all []rows.Eval) []rows.Eval {
	return slices.DeleteFunc(all, func(r rows.Eval) bool {
		c, ok := d.Cell(r.Keys)
		if !ok || c.Axes["setting"] == "" {
			return true
		}
		if r.Agent != "" {
			return !slices.Contains([]string{"timers-tuned", "timers-ppo", "preempt-ppo", "preempt-srpt",
				"preempt-blind"}, c.Axes["learner"])
		}
		return r.Policy != "dally" && r.Policy != rule
	})
}
