package tails

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	if b, err = b.Chosen("load", "policy", "jct_mean_s", families(), rivals.Validates); err != nil {
		return nil, err
	}
	b.Means("queue_mean", "Mean queueing delay against the load.", "load", "policy", "queue_mean_s", "load")
	b.Means("queue_p95", "95th percentile of the queueing delay against the load.", "load", "policy", "queue_p95_s",
		"load")
	b.Means("queue_p99", "99th percentile of the queueing delay against the load.", "load", "policy", "queue_p99_s",
		"load")
	loads := b.Values("load")
	highest := loads[len(loads)-1]
	b.CDF(ctx, "queue_cdf", "Queueing delays of all jobs at a load of "+highest+", 36 s and less at the left edge.",
		"policy", "queueing delay (h)",
		func(c *sweep.Cell) bool { return c.Axes["load"] == highest },
		func(j *results.Job) float64 { return max(j.Queue, 36) / 3600 })
	return b.Figures()
}
