// Package improperref compares mixtures of rules with exact values: two queues with one server under
// fixed mixtures (value iteration), the mean length of one queue, and softmax gradient steps on a
// bandit.
package improperref

import (
	"fmt"

	"tarry/env/mix/queues"
	"tarry/fidelity/reference"
	"tarry/internal/mixing"
)

// within is how far a number may be off, relative to it (absolutely below 1); iterated is it for costs
// of value iteration, which ends there at a change of 1e-9.
const (
	within   = 1e-12
	iterated = 1e-9
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Cases("improper mixtures", []reference.CaseKind{
		{Name: "two queues", Fields: "arrival_probabilities discount buffer rules values best", Compare: compareQueues},
		{Name: "one queue", Fields: "arrival service mean_queue", Compare: compareOne},
		{Name: "bandits", Fields: "rewards step_size trajectory", Compare: compareBandit},
	})
}

// valued is a mixture and its cost.
type valued struct {
	Mixture []float64
	Cost    float64 `json:"cost_from_empty"`
}

// queueCase is two queues under mixtures.
type queueCase struct {
	Arrival  [2]float64 `json:"arrival_probabilities"`
	Discount float64
	Buffer   int
	Rules    []string
	Values   []valued
	Best     valued
}

// compareQueues compares the cost of each mixture, and which is best of them.
func compareQueues(c *reference.Case) {
	x, ok := reference.Decode[queueCase](c)
	if !ok {
		return
	}
	spec := queues.Spec{Arrival: x.Arrival, Buffer: x.Buffer}
	if err := spec.Validate(); err != nil || !(x.Discount >= 0 && x.Discount < 1) {
		c.Errorf("discount %v, %v", x.Discount, err)
		return
	}
	var rules []queues.Rule
	for _, name := range x.Rules {
		rule, err := queues.Named(name)
		if err != nil {
			c.Errorf("%v", err)
			return
		}
		rules = append(rules, rule)
	}
	var all [][]float64
	for _, v := range append(x.Values, x.Best) {
		if len(v.Mixture) != len(rules) {
			c.Errorf("mixture %v of %d rules", v.Mixture, len(rules))
			return
		}
		c.Near(fmt.Sprint("the cost of ", v.Mixture), spec.Values(rules, v.Mixture, x.Discount)[0], v.Cost,
			iterated)
		all = append(all, v.Mixture)
	}
	best, cost := spec.Best(rules, all[:len(x.Values)], x.Discount)
	c.Near("the least cost", cost, x.Best.Cost, iterated)
	for i, p := range best {
		c.Near(fmt.Sprint("the best probability of rule ", i), p, x.Best.Mixture[i], within)
	}
}

// compareOne compares the mean length of a queue.
func compareOne(c *reference.Case) {
	x, ok := reference.Decode[struct {
		Arrival, Service float64
		Mean             float64 `json:"mean_queue"`
	}](c)
	if ok {
		c.Near("the mean queue", queues.GeoGeo1(x.Arrival, x.Service), x.Mean, within)
	}
}

// banditCase is softmax gradient ascent on a bandit.
type banditCase struct {
	Rewards    []float64
	Step       float64 `json:"step_size"`
	Trajectory []struct {
		Step          int
		Probabilities []float64
		Value         float64
	}
}

// compareBandit compares probabilities and values after the steps that are listed.
func compareBandit(c *reference.Case) {
	x, ok := reference.Decode[banditCase](c)
	if !ok || len(x.Rewards) == 0 || len(x.Trajectory) == 0 {
		c.Errorf("%d rewards, %d steps", len(x.Rewards), len(x.Trajectory))
		return
	}
	theta, p, taken := make([]float64, len(x.Rewards)), make([]float64, len(x.Rewards)), 0
	mixing.Softmax(p, theta)
	for _, t := range x.Trajectory {
		if t.Step < taken || len(t.Probabilities) != len(p) {
			c.Errorf("step %d with %d probabilities after step %d", t.Step, len(t.Probabilities), taken)
			return
		}
		for ; taken < t.Step; taken++ {
			p = mixing.Ascend(theta, x.Rewards, x.Step)
		}
		for i := range p {
			c.Near(fmt.Sprintf("step %d: probability %d", t.Step, i), p[i], t.Probabilities[i], within)
		}
		c.Near(fmt.Sprintf("step %d: value", t.Step), mixing.Mean(p, x.Rewards), t.Value, within)
	}
}
