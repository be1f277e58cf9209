package registry

import "errors"

// ErrDiverged: a loss or a gradient is not a finite number. The weights are as before the step and
// can still be saved.
var ErrDiverged = errors.New("training diverged")

// Row states how an update went; one per update, numbered from 1. NaN stands for a figure that a
// learner does not have.
type Row struct {
	// Update and Steps count updates and environment steps since the start.
	Update, Steps int
	// Episodes counts episodes that ended since the start. Return and Length are the
	// means over the last 100 of them, undiscounted and unscaled, ReturnStd the deviation;
	// NaN before the first.
	Episodes                  int
	Return, ReturnStd, Length float64
	// LearningRate is the learning rate that was used.
	LearningRate float64
	// PolicyLoss, ValueLoss and Entropy are means over the update's minibatches.
	PolicyLoss, ValueLoss, Entropy float64
	// OldKL and KL estimate how far the policy moved, as mean(-log ratio) and
	// mean(ratio - 1 - log ratio) over the last epoch; ClipFraction is the share of ratios
	// that were out of bounds, over the whole update.
	OldKL, KL, ClipFraction float64
	// ExplainedVariance is 1 - var(return - value)/var(return) of the rollout; NaN if all
	// returns are equal.
	ExplainedVariance float64
	// GradNorm is the mean norm of the gradient before clipping.
	GradNorm float64
	// RewardRate is the running reward per unit of time that differential rewards are measured
	// from; 0 for learners that discount.
	RewardRate float64
	// Imitation marks updates of a warm start.
	Imitation bool
}
