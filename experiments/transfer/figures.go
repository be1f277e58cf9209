package transfer

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	rows, err := sweep.Rows[results.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewLearned(d, rows, "trained")
	b.Relative("jct_relative", "Mean completion time against Dally, by what the agent was trained on and what it is "+
		"tested on.", "tested", "trained", "jct_mean_s", "dally", "tested on")
	b.Means("jct_mean", "Mean completion time.", "tested", "trained", "jct_mean_s", "tested on")
	return b.Figures()
}
