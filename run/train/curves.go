package train

import (
	"context"

	"tarry/output/results"
)

// curves writes the table of all updates.
func (r *run) curves() error {
	keys := results.Keys{Policy: r.cfg.Agent, Trace: r.cfg.Env, Seed: r.cfg.Seed}
	rows := make([]results.Curve, len(r.rows))
	for i, c := range r.rows {
		rows[i] = results.Curve{Keys: keys, Agent: r.cfg.Agent, Update: int64(c.Update), EnvSteps: int64(c.Steps),
			Episodes:   int64(c.Episodes),
			ReturnMean: c.Return, ReturnStd: c.ReturnStd, LossPolicy: c.PolicyLoss, LossValue: c.ValueLoss,
			Entropy: c.Entropy, KL: c.KL,
			ClipFrac: c.ClipFraction, ExplVar: c.ExplainedVariance, LR: c.LearningRate, Validation: c.validation}
	}
	// Not the caller's context: an interrupted run still writes its rows.
	return results.Write(context.Background(), results.Target{Path: r.file(curvesName), Meta: r.meta}, rows)
}
