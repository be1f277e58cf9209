package learning

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	rows, err := sweep.Rows[results.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewBook(d, nil)
	b.Curves("return", "Mean return of the episodes that ended in an update.", "agent", "return", rows, nil,
		func(r *results.Curve) float64 { return r.ReturnMean })
	b.Curves("validation", "Mean return on validation windows.", "agent", "return on validation", rows, nil,
		func(r *results.Curve) float64 { return r.Validation })
	b.Curves("explained_variance", "What the value network explains of the returns.", "agent", "explained variance",
		rows, nil, func(r *results.Curve) float64 { return r.ExplVar })
	return b.Figures()
}
