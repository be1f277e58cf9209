package typed

import (
	"math"

	"tarry/sim"
)

// The terms of a pair beside the terms of its job.
const (
	best = iota
	slower
	price
	edge
	elsewhere
	// NumPair is how many they are.
	NumPair
)

// PairText has a line for each of them: name, range, unit and meaning, parted by two spaces. Numbers
// are cut to 32 on either side where they are observed.
const PairText = `
best  -32..32  ln(ratio)  -ln(speed on the job's best type, relative to reference GPUs)
slower  0..32  ln(ratio)  ln(speed on the best type / on this one)
price  -4..0  ln(ratio)  mean over the jobs in the system, by GPUs, of ln(speed on this type / on their best)
edge  -4..4  ln(ratio)  -ln(speed on this type / on the best of the others)
elsewhere  0, 1  flag  1 for a running job that does not have GPUs of this type alone
`

// PairTerms are the terms of a pair beside the terms of its job, or their weights, in the order of
// TermNames.
type PairTerms [NumPair]float64

// Add adds the terms of a pair to the score of its job.
func (w *PairTerms) Add(own float64, x *PairTerms) float64 {
	for i, t := range x {
		own += float64(w[i] * t)
	}
	return own
}

// pair is a job on a type, with its score.
type pair struct {
	score float64
	job   sim.JobID
	on    int8 // a type, or wide
}

// before is the order in which pairs are taken: the least score, then the first to arrive, then the
// fastest type, several types last.
func (p *Policy) before(a, b *pair) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	if a.job != b.job {
		return a.job < b.job
	}
	return a.on >= 0 && (b.on < 0 || p.nth[a.on] < p.nth[b.on])
}

// rate is ln(speed) of a job on a type.
func (p *Policy) rate(j sim.JobID, k int) float64 { return p.rates[int(j)*len(p.free)+k] }

// prices sets how scarce the types are: the mean over the jobs of ln(speed on it / on the best
// type), by GPUs asked for, at least -4. It is 0 where all run best.
func (p *Policy) prices() {
	clear(p.scarce)
	sum := 0.0
	for _, j := range p.active {
		if math.IsInf(p.best[j], -1) {
			continue
		}
		w := float64(p.books.Demand(j).GPUs)
		sum += w
		for k := range p.scarce {
			p.scarce[k] += float64(w * max(lowest, p.rate(j, k)-p.best[j]))
		}
	}
	for k := range p.scarce {
		if sum > 0 {
			p.scarce[k] /= sum
		}
	}
}

// lowest bounds ln(speed on a type / on the best) where means are made and types are compared.
const lowest = -4

// score is the number of a pair: the job's own and what the type adds.
func (p *Policy) score(v *sim.View, j sim.JobID, k int, own float64) float64 {
	w := &p.cfg.pair
	var x PairTerms
	p.terms(v, j, k, w[edge] != 0, w[elsewhere] != 0, &x)
	return w.Add(own, &x)
}

// behind is added to the policy's own scores of pairs that come after the given scores.
const behind = 1e6

// unless is the score that is given for a pair, where scores are, or else the policy's own.
func (p *Policy) unless(j sim.JobID, on int, own float64) float64 {
	if p.scores == nil {
		return own
	}
	if s, given := p.scores.Score(j, on); given {
		return s
	}
	return own + behind
}

// terms writes the terms of a pair; two of them only if they are wanted.
func (p *Policy) terms(v *sim.View, j sim.JobID, k int, edges, places bool, x *PairTerms) {
	r := p.rate(j, k)
	*x = PairTerms{best: -p.best[j], slower: p.best[j] - r, price: p.scarce[k]}
	if edges {
		other := math.Inf(-1)
		for i := range p.free {
			if i != k {
				other = max(other, p.rate(j, i))
			}
		}
		x[edge] = -min(-lowest, max(lowest, r-other))
	}
	if places && v.Run(j).State() == sim.Running && !p.on(v, j, k) {
		x[elsewhere] = 1
	}
}

// on reports whether a running job has GPUs of a type alone.
func (p *Policy) on(v *sim.View, j sim.JobID, k int) bool {
	for _, g := range v.Run(j).Held() {
		if v.Topology().TypeOf(v.Topology().Machine(g)) != k {
			return false
		}
	}
	return true
}

// heapify makes a heap of the pairs.
func (p *Policy) heapify() {
	for i := len(p.pairs)/2 - 1; i >= 0; i-- {
		p.sink(i)
	}
}

// pop takes the first pair off.
func (p *Policy) pop() pair {
	first, n := p.pairs[0], len(p.pairs)-1
	p.pairs[0] = p.pairs[n]
	p.pairs = p.pairs[:n]
	p.sink(0)
	return first
}

// sink moves the pair at a place down to where it belongs.
func (p *Policy) sink(i int) {
	q := p.pairs
	if i >= len(q) {
		return
	}
	x := q[i]
	for c := 2*i + 1; c < len(q); c = 2*i + 1 {
		if c+1 < len(q) && p.before(&q[c+1], &q[c]) {
			c++
		}
		if !p.before(&q[c], &x) {
			break
		}
		q[i] = q[c]
		i = c
	}
	q[i] = x
}
