package scale

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	b.LogX = true
	b.Means("jct_mean", "Mean completion time against the length of the run.", "jobs_n", "policy", "jct_mean_s", "jobs")
	b.Relative("jct_relative", "Mean completion time against Dally.", "jobs_n", "policy", "jct_mean_s", "dally", "jobs")
	b.Means("queue_p99", "99th percentile of the queueing delay.", "jobs_n", "policy", "queue_p99_s", "jobs")
	return b.Figures()
}
