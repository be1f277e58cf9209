package typed

import (
	"math"
	"slices"

	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Inputs are what is known of a pair: of its job, and of the two.
type Inputs struct {
	Job  score.Inputs
	Pair PairTerms
	// Wide is true of the pair of a job for which no type has enough GPUs; its Pair is 0.
	Wide bool
}

// KnowsAll is what Read reads.
func (p *Policy) KnowsAll() know.Set { return know.Speed | p.by.Reader().Knows(nil) }

// Competing appends the jobs whose pairs are in the plan of an instant that is planned, by arrival.
func (p *Policy) Competing(v *sim.View, dst []sim.JobID) []sim.JobID {
	for _, j := range p.active {
		if p.competes(v, j, p.anew()) {
			dst = append(dst, j)
		}
	}
	return dst
}

// Waiting appends a demand for each job that waits.
func (p *Policy) Waiting(v *sim.View, dst []plan.Wanted) []plan.Wanted {
	for _, j := range p.active {
		if v.Run(j).State() == sim.Waiting {
			dst = append(dst, plan.Wanted{GPUs: int(p.books.Demand(j).GPUs), Waiting: 1, Oldest: v.Run(j).Since()})
		}
	}
	return dst
}

// Look is called before Read at an instant that is planned; it gives what is the same for all pairs.
func (p *Policy) Look() score.Common {
	p.prices()
	return p.by.Reader().Common()
}

// ReadJob writes the inputs of a job.
func (p *Policy) ReadJob(v *sim.View, j sim.JobID, x *score.Inputs) { p.by.Reader().Read(v, j, nil, x) }

// ReadPair writes what is known of a pair beside the job's inputs; false = there is no such pair. Of
// a job for which no type has enough GPUs the pair with type 0 is Wide.
func (p *Policy) ReadPair(v *sim.View, j sim.JobID, k int, x *Inputs) bool {
	x.Pair, x.Wide = PairTerms{}, p.tooWide(j)
	if x.Wide || k >= len(p.free) {
		return x.Wide && k == 0
	}
	if math.IsInf(p.rate(j, k), -1) {
		return false
	}
	p.terms(v, j, k, true, true, &x.Pair)
	return true
}

// Least is the least score of a job's pairs by the policy's own weights, +Inf without a pair; call
// Look before.
func (p *Policy) Least(v *sim.View, j sim.JobID) float64 {
	own, _ := p.by.Rank(v, j)
	if p.tooWide(j) {
		return own
	}
	least := math.Inf(1)
	for k := range p.free {
		if !math.IsInf(p.rate(j, k), -1) {
			least = min(least, p.score(v, j, k, own))
		}
	}
	return least
}

// Weights are the present ones, in the order of TermNames.
func (p *Policy) Weights() []float64 {
	return slices.Concat(p.cfg.pair[:], p.by.Func().Weights())
}

// SetWeights changes them.
func (p *Policy) SetWeights(w []float64) {
	copy(p.cfg.pair[:], w)
	p.by.Func().Set(w[NumPair:])
	p.by.Forget()
}

// Score is the score of a pair by weights in the order of TermNames; f is OwnFunc's.
func Score(f *score.Func, w []float64, x *Inputs) float64 {
	own := f.With(w[NumPair:], &x.Job)
	if x.Wide {
		return own
	}
	return (*PairTerms)(w[:NumPair]).Add(own, &x.Pair)
}
