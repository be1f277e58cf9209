package clustersize

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
	b.Means("jct_mean", "Mean completion time at a load of 0.9.", "gpus", "policy", "jct_mean_s", "GPUs")
	b.Relative("jct_relative", "Mean completion time against Dally.", "gpus", "policy", "jct_mean_s", "dally", "GPUs")
	b.Means("comm_frac", "Share of running time spent in exposed communication.", "gpus", "policy", "comm_frac", "GPUs")
	return b.Figures()
}
