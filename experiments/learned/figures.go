package learned

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
	b := digest.NewLearned(d, rows, "learner")
	b.Relative("jct_relative", "Mean completion time against Dally on windows that training never saw.", "load",
		"learner", "jct_mean_s", "dally", "load")
	b.Relative("jct_p99_relative", "99th percentile of completion time against Dally.", "load", "learner", "jct_p99_s",
		"dally", "load")
	b.Relative("queue_p99_relative", "99th percentile of the queueing delay against Dally.", "load", "learner",
		"queue_p99_s", "dally", "load")
	b.Profile("profile", "Share of test windows within a factor of the best mean completion time.", "load", "learner",
		"jct_mean_s", "windows")
	b.Means("jct_mean", "Mean completion time.", "load", "learner", "jct_mean_s", "load")
	return b.Figures()
}
