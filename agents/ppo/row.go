package ppo

import "math"

// Row says how an update went; one per update, numbered from 1.
type Row struct {
	// Update and Steps count updates and environment steps since the start.
	Update, Steps int
	// Episodes counts episodes that ended since the start. Return and Length are the
	// means over the last 100 of them, undiscounted and unscaled, ReturnStd the deviation;
	// NaN before the first.
	Episodes                  int
	Return, ReturnStd, Length float64
	// LearningRate is the one that was used.
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
	// Imitation marks updates of a warm start.
	Imitation bool
}

// window is how many episodes Return and Length are averaged over.
const window = 100

// tally keeps the last episodes.
type tally struct {
	returns, lengths [window]float64
	count            int
}

func (t *tally) add(ret, length float64) {
	t.returns[t.count%window], t.lengths[t.count%window] = ret, length
	t.count++
}

// tell writes what the last episodes were like to the row.
func (t *tally) tell(row *Row) {
	row.Episodes = t.count
	n := float64(min(t.count, window))
	sum, length, squares := 0.0, 0.0, 0.0
	for i := range min(t.count, window) {
		sum += t.returns[i]
		length += t.lengths[i]
	}
	row.Return, row.Length = sum/n, length/n // 0/0 is NaN
	for i := range min(t.count, window) {
		d := t.returns[i] - row.Return
		squares += float64(d * d)
	}
	row.ReturnStd = math.Sqrt(squares / n)
}

// explained is 1 - var(want-got)/var(want).
func explained(want, got []float64) float64 {
	index := make([]int, len(want))
	diff := make([]float64, len(want))
	for i := range want {
		index[i], diff[i] = i, want[i]-got[i]
	}
	_, a := moments(diff, index)
	_, b := moments(want, index)
	if b == 0 {
		return math.NaN()
	}
	return 1 - float64(a*a)/float64(b*b)
}
