// Package queues is two queues with one server (after Zaki et al., arXiv:2102.08201, section 5; the
// physics of a set of reference results). In a slot the jobs in both queues are the cost, then the
// chosen queue loses one job if it has one, then each queue gets a job with its own probability.
// A full queue loses what arrives.
//
//  1. Rules choose a queue: always the first, always the second, the longer one.
//  2. State.Slot plays a slot; Values and Best are exact, by value iteration.
package queues

import (
	"fmt"

	"tarry/internal/mixing"
)

// Spec has two queues.
type Spec struct {
	// Arrival has the probabilities of a job per slot, in [0, 1]; Buffer is the most of a queue.
	Arrival [2]float64
	Buffer  int
}

// Validate reports what cannot be.
func (s *Spec) Validate() error {
	for _, p := range s.Arrival {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("arrivals are %v per slot, expected 0..1", p)
		}
	}
	if s.Buffer < 1 || s.Buffer > 1000 {
		return fmt.Errorf("a queue holds %d jobs, expected 1..1000", s.Buffer)
	}
	return nil
}

// State is how many jobs wait in each queue.
type State [2]int

// Rule gives the queue that is served, 0 or 1.
type Rule func(s State) int

// Rules lists the names of the rules.
func Rules() []string { return []string{"serve1", "serve2", "longest"} }

// Named finds a rule.
func Named(name string) (Rule, error) {
	switch name {
	case "serve1":
		return func(State) int { return 0 }, nil
	case "serve2":
		return func(State) int { return 1 }, nil
	case "longest":
		return func(s State) int {
			if s[1] > s[0] {
				return 1
			}
			return 0
		}, nil
	}
	return nil, fmt.Errorf("rule %q, expected one of %v", name, Rules())
}

// Jobs is the cost of a slot.
func (s State) Jobs() int { return s[0] + s[1] }

// Slot serves a queue and lets jobs arrive.
func (s State) Slot(served int, arrives [2]bool, buffer int) State {
	s[served] = max(0, s[served]-1)
	for q, one := range arrives {
		if one {
			s[q] = min(buffer, s[q]+1)
		}
	}
	return s
}

// Values gives the expected discounted cost from each state, by Place, where each slot's rule is
// drawn with these probabilities.
func (s *Spec) Values(rules []Rule, mixture []float64, discount float64) []float64 {
	return s.chain(rules).Values(mixture, discount)
}

// Best is the mixture of least cost from empty queues, the first among equals, and the cost.
func (s *Spec) Best(rules []Rule, mixtures [][]float64, discount float64) (best []float64, cost float64) {
	return s.chain(rules).Best(mixtures, State{}.place(s.Buffer), discount)
}

// place numbers a state of two queues, from 0, the empty one.
func (s State) place(buffer int) int { return s[0]*(buffer+1) + s[1] }

// chain gives all states and what follows them under each rule.
func (s *Spec) chain(rules []Rule) *mixing.Chain {
	n := s.Buffer + 1
	c := &mixing.Chain{Moves: make([][][]mixing.Move, len(rules))}
	for i := range n * n {
		at := State{i / n, i % n}
		c.Cost = append(c.Cost, float64(at.Jobs()))
		for m, rule := range rules {
			c.Moves[m] = append(c.Moves[m], s.moves(at, rule(at)))
		}
	}
	return c
}

// moves lists what may follow a slot.
func (s *Spec) moves(at State, served int) (all []mixing.Move) {
	for k := range 4 {
		arrives, p := [2]bool{k&1 != 0, k&2 != 0}, 1.0
		for q, one := range arrives {
			if one {
				p *= s.Arrival[q]
			} else {
				p *= 1 - s.Arrival[q]
			}
		}
		all = append(all, mixing.Move{To: at.Slot(served, arrives, s.Buffer).place(s.Buffer), P: p})
	}
	return all
}

// GeoGeo1 returns the mean number of jobs at the begin of a slot in one queue without a bound, in the
// long run; service is more likely than an arrival.
func GeoGeo1(arrival, service float64) float64 { return arrival * (1 - arrival) / (service - arrival) }
