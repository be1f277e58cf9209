package goodput

import "math"

// Limits are the bounds of the batch of a job, in samples.
type Limits struct {
	// Initial is the batch that the job was submitted with, M0; Max the most of an update.
	Initial, Max int
	// MinLocal and MaxLocal are the least and the most that one GPU takes in a step.
	MinLocal, MaxLocal int
	// Accumulate allows several steps in an update. The variance of a gradient is measured between
	// replicas or steps, so that one GPU with more than M0 has at least two.
	Accumulate bool
}

// slack forgives rounding where a batch is divided.
const slack = 1e-8

// ceil is x rounded up; an excess of 1e-8 is rounding.
func ceil(x float64) int { return int(math.Ceil(x - slack)) }

// Split divides a batch that a job is to have among replicas GPUs, as the authors' simulator does
// for schedulers that do not choose it. One GPU with more than Initial takes two steps or more.
// Accumulate is not asked.
func (l *Limits) Split(batch, replicas int) (local, accum int) {
	if replicas == 1 && batch > l.Initial {
		return l.SplitTwice(batch, replicas)
	}
	return l.Divide(float64(batch), replicas, 1)
}

// SplitTwice is Split, but that one GPU always has two steps or more: what the Optimus of that
// simulator predicts with.
func (l *Limits) SplitTwice(batch, replicas int) (local, accum int) {
	if replicas == 1 {
		return l.Divide(float64(batch), replicas, 2)
	}
	return l.Divide(float64(batch), replicas, 1)
}

// Divide gives each of replicas GPUs the same part of a batch, local samples in each step, in as
// few steps as its memory allows and in at least so many; accum are the steps beyond the first.
// Rounding up may give a few samples more than batch, but no more than Max; local is 0 where Max is
// too little for a sample in each. The batch, replicas and steps are 1 or more.
func (l *Limits) Divide(batch float64, replicas, steps int) (local, accum int) {
	each := float64(ceil(batch / float64(replicas)))
	accum = max(ceil(each/float64(l.MaxLocal)), steps) - 1
	local = ceil(each / float64(accum+1))
	return min(local, l.Max/(replicas*(accum+1))), accum
}
