// Package bandit treats the points of a grid as the arms of a bandit: each pull measures one arm on
// one more window, the k-th pull of every arm on the k-th window. Windows are spent where they
// decide most; the arm that was pulled most is the answer.
//
// UCB1: Auer, Cesa-Bianchi and Fischer, Finite-time Analysis of the Multiarmed Bandit Problem,
// Machine Learning 47, 2002, figure 1. Thompson sampling with normal costs of unknown mean and
// variance (a normal-gamma posterior, whose mean is Student's t): Honda and Takemura, Optimality of
// Thompson Sampling for Gaussian Bandits Depends on Priors, AISTATS 2014, algorithm 1 with the
// uniform prior (alpha = -1/2), which they prove optimal.
//
// We differ: costs are made smaller, not rewards larger; UCB1's unit interval is the range of the
// costs seen so far.
package bandit

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings of both.
const Params = `arms  points of the grid, at most`

type method struct {
	cfg    search.Config
	arms   [][]float64
	first  int // pulls of each arm before the rule decides
	choose func(s []arm, draws *rng.Stream) int
}

// arm is what is known of one.
type arm struct {
	n      int
	square float64 // sum of squared distances from the mean
	mean   float64
}

// NewUCB1 reads the settings; s.Err has the faults.
func NewUCB1(c search.Config, s *param.Set) (search.Method, error) { return fresh(c, s, 1, nil) }

// NewThompson reads the settings; s.Err has the faults.
func NewThompson(c search.Config, s *param.Set) (search.Method, error) {
	return fresh(c, s, 4, thompson)
}

func fresh(c search.Config, s *param.Set, first int, choose func([]arm, *rng.Stream) int) (search.Method, error) {
	m := &method{cfg: c, first: first, choose: choose}
	m.arms = c.Space.Grid(s.Int("arms", 16, 2, 100_000))
	return m, s.Err()
}

// Propose pulls every arm at the start, then one at a time.
func (m *method) Propose(known []search.Observation, draws *rng.Stream) []search.Ask {
	if k := len(known) / len(m.arms); k < m.first {
		out := make([]search.Ask, 0, len(m.arms))
		for _, x := range m.arms[len(known)%len(m.arms):] {
			out = append(out, search.Ask{X: x, From: k, To: k + 1})
		}
		return out
	}
	all, spread := m.tally(known)
	var i int
	if m.choose != nil {
		i = m.choose(all, draws)
	} else {
		i = ucb1(all, spread, len(known))
	}
	return []search.Ask{{X: m.arms[i], From: all[i].n, To: all[i].n + 1}}
}

// tally sums up the arms; spread is the range of all costs.
func (m *method) tally(known []search.Observation) (all []arm, spread float64) {
	all = make([]arm, len(m.arms))
	at := map[string]int{}
	for i, x := range m.arms {
		at[search.Key(x)] = i
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, cost := range search.Costs(known) {
		a := &all[at[search.Key(known[i].X)]]
		a.n++
		before := cost - a.mean
		a.mean += before / float64(a.n)
		a.square += float64(before * (cost - a.mean))
		lo, hi = min(lo, cost), max(hi, cost)
	}
	return all, hi - lo
}

// ucb1 is the arm whose cost may be the least.
func ucb1(all []arm, spread float64, pulls int) int {
	best, least := 0, math.Inf(1)
	for i, a := range all {
		if v := a.mean - float64(spread*math.Sqrt(2*math.Log(float64(pulls))/float64(a.n))); v < least {
			best, least = i, v
		}
	}
	return best
}

// thompson is the arm whose mean is the least in a draw from the posterior: Student's t with n + 2
// alpha - 1 degrees of freedom.
func thompson(all []arm, draws *rng.Stream) int {
	const alpha = -0.5
	best, least := 0, math.Inf(1)
	for i, a := range all {
		nu := float64(a.n) + 2*alpha - 1
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu, Src: draws}.Rand()
		if v := a.mean + float64(t*math.Sqrt(a.square/(float64(a.n)*nu))); v < least {
			best, least = i, v
		}
	}
	return best
}
