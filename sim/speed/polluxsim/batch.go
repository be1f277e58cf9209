package polluxsim

import "tarry/sim/goodput"

// split is a batch among GPUs and micro-steps.
// samples of a GPU and micro-step; micro-steps beyond the first; samples of an update
type split struct{ local, accum, batch int }

// split gives each of gpus its part of a batch of target samples, in as few micro-steps as its
// memory allows; with steps > 0 in at least so many. Where steps is 0 a GPU alone takes two for
// more than the initial batch, as Pollux needs two gradients to measure their noise. The batch may
// be a little more than the target, as parts are rounded up, and is not more than the application's
// largest.
func (a *app) split(target float64, gpus, steps int) split {
	if steps == 0 && gpus == 1 && target > float64(a.initial) {
		steps = 2
	}
	limits := goodput.Limits{Max: int(a.most), MaxLocal: int(a.maxLocal)}
	local, accum := limits.Divide(target, gpus, max(1, steps))
	local = max(1, local)
	return split{local, accum, gpus * local * (accum + 1)}
}

// gain is the progress of an update in updates at the initial batch size.
func gain(sqr, variance, initial, batch float64) float64 {
	return (variance + sqr) / (float64(variance*initial/batch) + sqr)
}
