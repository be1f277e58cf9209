package goodput

// Noise is what a job measures of its gradient at its initial batch: the squared norm of the mean,
// and the variance. Both 0 = not known: samples of any batch count as much as one at the
// initial batch times 1/scale.
type Noise struct{ Sqr, Var float64 }

// Gain is the number of steps at the initial batch that equal a step whose batch is scale times as
// large, scale > 0: 1 at 1, and at most (var + sqr)/sqr.
func (n Noise) Gain(scale float64) float64 {
	below := n.Var/scale + n.Sqr
	if !(below > 0) {
		return 1
	}
	return (n.Var + n.Sqr) / below
}

// Efficiency is the progress of a sample, in samples at the initial batch: Gain over scale.
func (n Noise) Efficiency(scale float64) float64 { return n.Gain(scale) / scale }
