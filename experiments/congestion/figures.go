package congestion

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	rows, err := sweep.Rows[results.Trial](ctx, d)
	if err != nil {
		return nil, err
	}
	const taken = "part of the links that is taken"
	b, err := digest.NewBook(d, rows).Chosen("taken", "policy", "jct_mean_s", families(), rivals.Validates)
	if err != nil {
		return nil, err
	}
	b.Means("comm_frac", "Share of running time spent in exposed communication.", "taken", "policy", "comm_frac", taken)
	b.Means("jct_mean", "Mean completion time.", "taken", "policy", "jct_mean_s", taken)
	b.Relative("jct_relative", "Mean completion time against Dally.", "taken", "policy", "jct_mean_s", "dally", taken)
	return b.Figures()
}
