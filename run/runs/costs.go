package runs

import (
	"context"

	"tarry/output/results"
)

// costRow is what a headline needs of the table evals outside the simulator.
type costRow struct {
	Policy    string  `col:"policy"`
	Replicate int64   `col:"replicate"`
	Cost      float64 `col:"cost,later"`
	CostName  string  `col:"cost_name,later"`
}

// Table names the table.
func (costRow) Table() string { return results.Eval{}.Table() }

// Partial lets readers pass over the other columns.
func (costRow) Partial() {}

// costs reads the table evals of an evaluation outside the simulator.
func (r *Run) costs(ctx context.Context) error {
	rows, err := rowsOf[costRow](ctx, r.Dir)
	if err != nil {
		return err
	}
	trials := make([]trialRow, len(rows))
	for i, e := range rows {
		r.Headline.Cost = e.CostName
		trials[i] = trialRow{Policy: e.Policy, Replicate: e.Replicate, JCTMean: e.Cost}
	}
	return r.rank(costRow{}.Table(), trials)
}
