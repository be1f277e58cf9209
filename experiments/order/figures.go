package order

import (
	"context"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
	"tarry/run/bounds"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	tuned, err := sweep.Rows[rows.Tune](ctx, d)
	if err != nil {
		return nil, err
	}
	curves, err := sweep.Rows[rows.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	all := digest.NewLearned(d, withBest(d, evals, tuned, curves), "learner")
	b := all.Where(has("setting")).Only(among("dally", bestRule, chosenRule, chosenSeed, linear,
		"order-hidden", bounds.Hindsight+"clairvoyant"))
	b.Relative("jct_relative", "Mean completion time against Dally on unseen windows, 64 GPUs.", "setting", "learner",
		"jct_mean_s", "dally", "workload")
	b.Relative("queue_p99_relative", "99th percentile of the queueing delay against Dally.", "setting", "learner",
		"queue_p99_s", "dally", "workload")
	for _, place := range b.Values("setting") {
		if !slices.ContainsFunc(curves, func(r rows.Curve) bool { return d.Axis(r.Keys, "setting") == place }) {
			continue // stored without curves
		}
		b.Curves("validation_"+strings.ReplaceAll(place, ".", "_"), "Minus the cost on validation windows, "+place+".",
			"learner", "- JCT / JCT of Dally", curves,
			func(c *sweep.Cell) bool { return c.Axes["setting"] == place },
			func(r *rows.Curve) float64 { return r.Validation })
	}
	return b.Figures()
}

// has keeps the cells of the sweeps that have an axis.
func has(axis string) func(*sweep.Cell) bool {
	return func(c *sweep.Cell) bool { return c.Axes[axis] != "" }
}

// among chooses series by their names.
func among(names ...string) func(string) bool {
	return func(series string) bool { return slices.Contains(names, series) }
}
