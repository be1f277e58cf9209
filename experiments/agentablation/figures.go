package agentablation

import (
	"context"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	evals, err := sweep.Rows[results.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewLearned(d, evals, "variant")
	b.Relative("jct_relative", "Mean completion time against Dally on unseen windows.", "load", "variant",
		"jct_mean_s", "dally", "load")
	b.Relative("queue_p99_relative", "99th percentile of the queueing delay against Dally.", "load", "variant",
		"queue_p99_s", "dally", "load")
	curves, err := sweep.Rows[results.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	validation := func(name, paid string, keep func(variant string) bool) {
		b.Curves("validation_"+name, "Return on validation windows, paid by "+paid+".", "variant",
			"return on validation", curves,
			func(c *sweep.Cell) bool { return keep(c.Axes["variant"]) },
			func(r *results.Curve) float64 { return r.Validation })
	}
	validation("jct", "jct", func(v string) bool { return !strings.HasPrefix(v, byReward) })
	for _, v := range b.Values("variant") {
		if reward, other := strings.CutPrefix(v, byReward); other {
			validation(reward, reward, func(of string) bool { return of == v })
		}
	}
	return b.Figures()
}

// tables are for a page: the differences with their intervals.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	evals, err := sweep.Rows[results.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	p := digest.Pages{Book: digest.NewLearned(d, evals, "variant"), X: "load", Series: "variant", Base: "dally"}
	out := map[string]string{}
	for name, metric := range map[string]string{"jct_relative": "jct_mean_s", "queue_p99_relative": "queue_p99_s"} {
		if out[name], err = p.Relative(metric); err != nil {
			return nil, err
		}
	}
	return out, nil
}
