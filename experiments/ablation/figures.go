package ablation

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
	b.Relative("jct_relative", "Mean completion time without one part, against the whole.", "load", "part", "jct_mean_s", "whole", "load")
	b.Relative("makespan_relative", "Makespan without one part, against the whole.", "load", "part", "makespan_s", "whole", "load")
	b.Means("preemptions", "Preemptions per job.", "load", "part", "preemptions", "load")
	return b.Figures()
}
