package tuner

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
	b.Means("jct_mean", "Mean completion time of Dally with fixed and with tuned timers.", "load", "variant",
		"jct_mean_s", "load")
	b.Relative("jct_relative", "Mean completion time against manual timers.", "load", "variant", "jct_mean_s",
		"manual", "load")
	b.Relative("queue_p99_relative", "99th percentile of the queueing delay against manual timers.", "load", "variant",
		"queue_p99_s", "manual", "load")
	return b.Figures()
}
