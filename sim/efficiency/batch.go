package efficiency

import (
	"math"

	"tarry/sim"
)

// slack forgives rounding where a batch is divided, as package goodput does.
const slack = 1e-8

// batch is how an update is divided.
type batch struct {
	local float64 // samples of a GPU and micro-step, over its own
	each  float64 // the same in samples
	steps float64 // micro-steps of an update
	all   float64 // samples of an update
}

// batch returns the batch that a job has on an allocation.
func (l *Layer) batch(q *sim.Query, o *own) batch {
	gpus := float64(len(q.GPUs))
	switch {
	case q.AccumSteps > 0 || q.Batch > 0 && q.Batch != 1:
		times := q.Batch
		if times == 0 {
			times = 1
		}
		return o.divide(math.Round(float64(times*o.batch)), gpus, q.AccumSteps)
	case int32(len(q.GPUs)) == q.Job.GPUs:
		return batch{1, o.local, 1, o.batch}
	case !l.rule.strong && o.local*gpus <= o.most:
		return batch{1, o.local, 1, o.local * gpus}
	case l.rule.strong:
		return o.divide(o.batch, gpus, 0)
	}
	return o.divide(o.most, gpus, 0)
}

// divide divides samples among GPUs, in at least so many micro-steps.
func (o *own) divide(samples, gpus float64, least int32) batch {
	each := math.Ceil(min(samples, o.most)/gpus - slack)
	steps := max(1, float64(least), math.Ceil(each/o.fill-slack))
	each = max(o.least, math.Ceil(each/steps-slack))
	return batch{each / o.local, each, steps, each * steps * gpus}
}

// times is how long an update computes, over the time of a GPU's own samples.
func (l *Layer) times(b batch) float64 {
	if b.local == 1 {
		return b.steps
	}
	return float64(b.steps * (l.rule.fixed + float64((1-l.rule.fixed)*b.local)))
}
