package load

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	if b, err = b.Chosen("load", "policy", "jct_mean_s", families(), rivals.Validates); err != nil {
		return nil, err
	}
	b.Means("jct_mean", "Mean completion time against the load.", "load", "policy", "jct_mean_s", "load")
	b.Relative("jct_relative", "Mean completion time against Dally.", "load", "policy", "jct_mean_s", "dally", "load")
	b.Means("slowdown_mean", "Mean slowdown against the load.", "load", "policy", "slowdown_mean", "load")
	b.Means("gpu_util", "GPU utilisation against the load.", "load", "policy", "gpu_util_frac", "load")
	return b.Figures()
}
