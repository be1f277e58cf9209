package polluxsim

import "math"

// split is a batch among GPUs and micro-steps.
type split struct{ local, accum, batch int } // samples of a GPU and micro-step; micro-steps beyond the first; samples of an update

// whole forgives the rounding of a quotient that should be a whole number.
const whole = 1e-8

// split gives each of gpus its part of a batch of target samples, in as few micro-steps as its memory allows; with steps > 0 in at least
// so many. Where steps is 0 a GPU alone takes two for more than the initial batch, as Pollux needs two gradients to measure their noise. The batch may be a little
// more than the target, as parts are rounded up, and is not more than the application's largest.
func (a *app) split(target float64, gpus, steps int) split {
	most := float64(a.maxLocal)
	share := math.Ceil(target/float64(gpus) - whole)
	accum := int(math.Ceil(share/most-whole)) - 1
	switch {
	case steps > 0:
		accum = max(accum, steps-1)
	case gpus == 1 && target > float64(a.initial):
		accum = max(accum, 1)
	}
	accum = max(accum, 0)
	local := int(math.Ceil(share/float64(accum+1) - whole))
	local = max(1, min(local, int(a.most)/(gpus*(accum+1))))
	return split{local, accum, gpus * local * (accum + 1)}
}

// gain is what an update is worth in updates at the initial batch size.
func gain(sqr, variance, initial, batch float64) float64 {
	return (variance + sqr) / (float64(variance*initial/batch) + sqr)
}
