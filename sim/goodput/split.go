package goodput

import "math"

// Limits say which batches a job may have, in samples.
type Limits struct {
	// Initial is the batch that the job was submitted with, M0; Max the most of an update.
	Initial, Max int
	// MinLocal and MaxLocal are the least and the most that one GPU takes in a step.
	MinLocal, MaxLocal int
	// Accumulate allows several steps in an update. The variance of a gradient is measured between replicas or steps, so that one GPU with more than M0 has at least two.
	Accumulate bool
}

// slack forgives rounding where a batch is divided.
const slack = 1e-8

// ceil is x rounded up; an excess of 1e-8 is rounding.
func ceil(x float64) int { return int(math.Ceil(x - slack)) }

// Split divides a batch that a job is to have among replicas GPUs, as the authors' simulator does for schedulers that do not choose it: each takes the same number of
// samples, in as few steps as its memory allows; accum are the steps beyond the first. Rounding up may give a few samples more than batch, but no more than Max. The
// counts are 1 or more; Accumulate is not asked.
func (l *Limits) Split(batch, replicas int) (local, accum int) {
	return l.split(batch, replicas, replicas == 1 && batch > l.Initial)
}

// SplitTwice is Split, but that one GPU always has two steps or more: what the Optimus of that simulator predicts with.
func (l *Limits) SplitTwice(batch, replicas int) (local, accum int) {
	return l.split(batch, replicas, replicas == 1)
}

func (l *Limits) split(batch, replicas int, twice bool) (local, accum int) {
	each := float64(ceil(float64(batch) / float64(replicas)))
	accum = ceil(each/float64(l.MaxLocal)) - 1
	if twice {
		accum = max(accum, 1)
	}
	local = ceil(each / float64(accum+1))
	return min(local, l.Max/(replicas*(accum+1))), accum
}
