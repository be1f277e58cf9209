// Package sharing asks: when is it better to share a near GPU than to wait for a free one?
//
// experiments/questions/sharing.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. figures.go draws the figures, tables.go makes the tables of docs/results/sharing.md.
package sharing

import (
	"context"

	"tarry/experiments/sweep"
)

// dally is the scheduler against which all are measured.
const dally = "dally"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures = func(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) { return figures(ctx, d, q.Forms) }
	q.Tables = func(ctx context.Context, d *sweep.Data) (map[string]string, error) { return tables(ctx, d, q.Forms) }
}
