package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tarry/agents/nn"
	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/rng"
)

// The defaults of rankings.
const (
	// DefaultPlaces is how many places of an order count.
	DefaultPlaces = 8
	// DefaultTemperature scales the noise of scores.
	DefaultTemperature = 0.25
)

// ranking is the law of an action that puts the items of a list in order: a score for each, the
// least first. What is sent is the score less the temperature times a Gumbel number of the item's
// own, so that an order has the probability of the Plackett-Luce law of the logits -score /
// temperature, and scores keep their unit. The log-probability is of the first places of the
// order; what the environment reads of the numbers beyond their order counts as its chance.
type ranking struct {
	places      int
	temperature float64
	list        nn.SetShape
	start       []float64
	answers     trait.Searchable // what start means; nil = not bound

	base, noise, logits []float64
	order               []int
	keyed               []keyed
	entropy             float64 // of the last order
}

// keyed is an item with what it is sorted by.
type keyed struct {
	item int
	key  float64
}

func newRanking(c *Config, list nn.SetShape) *ranking {
	return &ranking{places: cmp.Or(c.Places, DefaultPlaces), temperature: cmp.Or(c.Temperature, DefaultTemperature),
		list: list, start: c.Start}
}

// fork has room of its own.
func (k *ranking) fork() *ranking {
	if k == nil {
		return nil
	}
	f, n := *k, k.list.Slots
	f.base, f.noise, f.logits = make([]float64, n), make([]float64, n), make([]float64, n)
	f.order, f.keyed = make([]int, 0, n), make([]keyed, 0, n)
	return &f
}

// sorted gives the items that are there, by what is sent for them; valid until the next call.
func (k *ranking) sorted(raw, obs []float64) []int {
	k.keyed, k.order = k.keyed[:0], k.order[:0]
	for i := range k.list.Slots {
		if k.list.Legal(obs, nil, i) {
			k.keyed = append(k.keyed, keyed{i, raw[i]})
		}
	}
	slices.SortStableFunc(k.keyed, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for _, x := range k.keyed {
		k.order = append(k.order, x.item)
	}
	return k.order
}

// startScores writes the scores of the start, 0 without one; false = the start is not bound.
func (k *ranking) startScores(dst, obs []float64) bool {
	if k.start == nil || k.answers == nil {
		clear(dst)
		return k.start == nil
	}
	return k.answers.Answer(dst, obs, k.start) == nil
}

// Ranked reports whether actions put a list in order.
func (p *Policy) Ranked() bool { return p.ranking != nil }

// Rank draws the raw action of a policy that puts a list in order, with a Gumbel number for each
// place of the list (nil: none, the most likely order), and gives the log-probability of the
// order's first places.
func (p *Policy) Rank(raw, obs, noise []float64) (logp float64) {
	p.scores(obs)
	copy(raw, p.out)
	for i := range noise {
		if p.ranking.list.Legal(obs, nil, i) {
			raw[i] -= float64(p.ranking.temperature * noise[i])
		}
	}
	return p.rankLogProb(raw, obs)
}

// scores leaves the scores of an observation in p.out.
func (p *Policy) scores(obs []float64) {
	k := p.ranking
	p.Actor.Forward(p.out, obs, nil)
	if k.start == nil {
		return
	}
	k.startScores(k.base, obs)
	for i, v := range k.base {
		p.out[i] += v
	}
}

// drawn is a Gumbel number for each place; nil without a stream.
func (k *ranking) drawn(r *rand.Rand) []float64 {
	if r == nil {
		return nil
	}
	for i := range k.noise {
		k.noise[i] = -math.Log(rng.Exponential(r))
	}
	return k.noise
}

// rankLogProb is the log-probability of a raw action under the scores in p.out.
func (p *Policy) rankLogProb(raw, obs []float64) (logp float64) {
	k := p.ranking
	for i, s := range p.out {
		k.logits[i] = s * (-1 / k.temperature)
	}
	logp, k.entropy = nn.RankingLogProb(k.logits, k.sorted(raw, obs), k.places)
	return logp
}

// Bind takes from an environment what the parameters mean that a policy starts from. One without a
// start needs no environment.
func (p *Policy) Bind(e env.Env) error {
	if p.ranking == nil || p.ranking.start == nil {
		return nil
	}
	on, ok := env.Find[trait.Searchable](e)
	if !ok {
		return fmt.Errorf("start: %s has no parameters, expected none", e.Spec().ID)
	}
	if n := len(on.Parameters()); n != len(p.ranking.start) {
		return fmt.Errorf("start has %d numbers, expected one for each of the %d parameters of %s",
			len(p.ranking.start), n, e.Spec().ID)
	}
	p.ranking.answers = on
	return nil
}

// bound reports whether a policy that starts from parameters has their meaning.
func (p *Policy) bound() error {
	if k := p.ranking; k != nil && k.start != nil && k.answers == nil {
		return fmt.Errorf("a start of %d parameters acts in no environment yet, expected Bind", len(k.start))
	}
	return nil
}

// rankLikelihood is the case of orders.
func (l *Likelihood) rankLikelihood(t *nn.Tape, out nn.Node) {
	k := l.p.ranking
	if k.start != nil {
		var base nn.Node
		base, l.start = t.Matrix("start", t.Batch(), l.p.Logits())
		out = t.Add(out, base)
	}
	l.rankings = &nn.Rankings{Places: k.places, Order: make([][]int, t.Batch())}
	l.LogProb, l.Entropy = t.RankingLogProb(t.Scale(out, -1/k.temperature), l.rankings)
}

// fillRanking sets what a row's order is, and where it starts from.
func (l *Likelihood) fillRanking(row int, obs, raw []float64) {
	k, n := l.p.ranking, l.p.Logits()
	l.rankings.Order[row] = append(l.rankings.Order[row][:0], k.sorted(raw, obs)...)
	if l.start != nil {
		k.startScores(l.start[row*n:(row+1)*n], obs)
	}
}
