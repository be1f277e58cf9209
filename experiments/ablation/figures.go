package ablation

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
	b.Relative("jct_relative", "Mean completion time without one part, against the whole.", "load", "part",
		"jct_mean_s", "whole", "load")
	b.Relative("makespan_relative", "Makespan without one part, against the whole.", "load", "part", "makespan_s",
		"whole", "load")
	b.Means("preemptions", "Preemptions per job.", "load", "part", "preemptions", "load")
	return b.Figures()
}
