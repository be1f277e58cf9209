package learn

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/nn"
	"tarry/agents/registry"
)

// ErrDiverged: a loss or a gradient is not a finite number. The weights are as before the step and
// can still be saved.
var ErrDiverged = registry.ErrDiverged

// Row states how an update went; one per update, numbered from 1. NaN stands for a figure that a
// learner does not have.
type Row = registry.Row

// MeanStd are the mean and the sample deviation of numbers; the deviation of less than two is NaN.
func MeanStd(x []float64) (mean, std float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	sum := 0.0
	for _, v := range x {
		d := v - mean
		sum += float64(d * d)
	}
	return mean, math.Sqrt(sum / float64(len(x)-1))
}

// Explained is 1 - var(want-got)/var(want); NaN if var(want) is 0.
func Explained(want, got []float64) float64 {
	mean := 0.0
	for i, v := range want {
		mean += v - got[i]
	}
	mean /= float64(len(want))
	sum := 0.0
	for i, v := range want {
		d := v - got[i] - mean
		sum += float64(d * d)
	}
	a := math.Sqrt(sum / float64(len(want)-1))
	_, b := MeanStd(want)
	if b == 0 {
		return math.NaN()
	}
	return 1 - float64(a*a)/float64(b*b)
}

// Finite reports whether a loss, or the sum of a loss and the norm of its gradient, is a finite
// number.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Diverged is an ErrDiverged that states what the loss was, with what format and args add, and
// which weights or gradients are not finite.
func Diverged(params []*nn.Param, loss float64, format string, args ...any) error {
	return errors.Join(fmt.Errorf("%w: loss %g%s", ErrDiverged, loss, fmt.Sprintf(format, args...)),
		nn.CheckFinite(params))
}

// Means divides the sums of a row over so many minibatches: losses, entropy, norm of the gradient; 0/0
// is NaN.
func Means(row *Row, n float64) {
	for _, sum := range []*float64{&row.PolicyLoss, &row.ValueLoss, &row.Entropy, &row.GradNorm} {
		*sum /= n
	}
}

// Blank is a row without figures: NaN but for its number, the learning rate and what the Run
// counts.
func (r *Run) Blank(update int, rate float64) Row {
	none := math.NaN()
	row := Row{Update: update, Steps: r.Steps, LearningRate: rate, PolicyLoss: none, ValueLoss: none, GradNorm: none,
		Entropy: none, OldKL: none, KL: none, ClipFraction: none, ExplainedVariance: none}
	r.Tally.Tell(&row)
	return row
}
