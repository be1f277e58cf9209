package scale

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/internal/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	rows, err := sweep.Rows[results.Trial](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewBook(d, rows)
	b.LogX = true
	b.Means("jct_mean", "Mean completion time against the length of the run.", "jobs_n", "policy", "jct_mean_s", "jobs")
	b.Relative("jct_relative", "Mean completion time against Dally.", "jobs_n", "policy", "jct_mean_s", "dally", "jobs")
	b.Means("queue_p99", "99th percentile of the queueing delay.", "jobs_n", "policy", "queue_p99_s", "jobs")
	return b.Figures()
}
