package speedmodel

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
	b.Relative("jct_relative", "Mean completion time against Dally under the same model.", "model", "policy",
		"jct_mean_s", "dally", "speed model")
	b.Means("jct_mean", "Mean completion time.", "model", "policy", "jct_mean_s", "speed model")
	b.Means("comm_frac", "Share of running time spent in exposed communication.", "model", "policy", "comm_frac",
		"speed model")
	return b.Figures()
}
