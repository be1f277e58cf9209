package vec

import (
	"tarry/env"
	"tarry/internal/pack"
)

// Batch is what N environments gave, environment after environment. It belongs to the Vec and is
// overwritten by its next call. A learner may change Obs, FinalObs and Reward in place (to
// normalise them); nothing reads them back.
type Batch struct {
	// Obs has the observations to act on next: of a new episode where the last one ended.
	Obs []float64
	// FinalObs has the observations that the step itself led to: the last one of the episode
	// where it ended, elsewhere the same as Obs.
	FinalObs []float64
	// Mask has the legal actions that belong to Obs; nil when Spec().Masked is false.
	Mask []bool
	// FinalMask has the masks that belong to FinalObs: what a critic that looks at legal actions
	// only needs to judge a truncated episode's end. nil when Spec().Masked is false.
	FinalMask []bool
	// Reward, Terminated, Truncated, Elapsed and Metrics are of the step; after Reset,
	// Metrics are the first state's and the others zero.
	Reward                []float64
	Terminated, Truncated []bool
	Elapsed, Metrics      []float64
	// Episodes sums up the episodes that ended with the step; elsewhere it is the sum so far.
	Episodes []env.Episode

	obs, mask, metrics int // numbers per environment
}

func newBatch(n int, s *env.Spec) *Batch {
	b := &Batch{obs: s.Observation.Len(), metrics: len(s.Metrics)}
	b.Obs, b.FinalObs = make([]float64, n*b.obs), make([]float64, n*b.obs)
	b.Reward, b.Elapsed, b.Metrics = make([]float64, n), make([]float64, n), make([]float64, n*b.metrics)
	b.Terminated, b.Truncated, b.Episodes = make([]bool, n), make([]bool, n), make([]env.Episode, n)
	if s.Masked {
		b.mask = env.MaskLen(s.Action)
		b.Mask, b.FinalMask = make([]bool, n*b.mask), make([]bool, n*b.mask)
	}
	return b
}

// ObsOf is environment i's part of Obs.
func (b *Batch) ObsOf(i int) []float64 { return b.Obs[i*b.obs : (i+1)*b.obs : (i+1)*b.obs] }

// FinalObsOf is environment i's part of FinalObs.
func (b *Batch) FinalObsOf(i int) []float64 { return b.FinalObs[i*b.obs : (i+1)*b.obs : (i+1)*b.obs] }

// MaskOf is environment i's part of Mask; nil when there is none.
func (b *Batch) MaskOf(i int) []bool { return b.part(b.Mask, i) }

// FinalMaskOf is environment i's part of FinalMask; nil when there is none.
func (b *Batch) FinalMaskOf(i int) []bool { return b.part(b.FinalMask, i) }

func (b *Batch) part(mask []bool, i int) []bool {
	if mask == nil {
		return nil
	}
	return mask[i*b.mask : (i+1)*b.mask : (i+1)*b.mask]
}

// MetricsOf is environment i's part of Metrics.
func (b *Batch) MetricsOf(i int) []float64 { return b.Metrics[i*b.metrics : (i+1)*b.metrics] }

// Done reports whether environment i's episode ended with the step.
func (b *Batch) Done(i int) bool { return b.Terminated[i] || b.Truncated[i] }

// save adds the batch to a record.
func (b *Batch) save(w *pack.Writer) {
	for _, v := range b.floats() {
		w.Float64s(v)
	}
	for _, v := range b.bools() {
		w.Bools(v)
	}
	for _, e := range b.Episodes {
		w.Float64(e.Return)
		w.Int(e.Steps)
		w.Float64(e.Elapsed)
	}
}

// load reads what save wrote.
func (b *Batch) load(r *pack.Reader) {
	for _, v := range b.floats() {
		r.Float64s(v)
	}
	for _, v := range b.bools() {
		r.Bools(v)
	}
	for i := range b.Episodes {
		b.Episodes[i] = env.Episode{Return: r.Float64(), Steps: r.Int(), Elapsed: r.Float64()}
	}
}

func (b *Batch) floats() [][]float64 {
	return [][]float64{b.Obs, b.FinalObs, b.Reward, b.Elapsed, b.Metrics}
}

func (b *Batch) bools() [][]bool { return [][]bool{b.Mask, b.FinalMask, b.Terminated, b.Truncated} }

// clearStep forgets the step of environment i.
func (b *Batch) clearStep(i int) {
	b.Reward[i], b.Elapsed[i], b.Terminated[i], b.Truncated[i], b.Episodes[i] = 0, 0, false, false, env.Episode{}
	clear(b.MetricsOf(i))
}
