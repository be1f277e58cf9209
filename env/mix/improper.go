package mix

import (
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/mix/queues"
	"tarry/env/model"
	"tarry/sim/rng"
)

// Queueing is what the environment is made from, with protocol=improper.
type Queueing struct {
	model.Settings
	queues.Spec
	// Members are rules of queues.Rules; at least one.
	Members []string
	// Slots is the length of an episode, Discount the discount of its cost, below 1.
	Slots    int
	Discount float64
	// Observe shows both queues; false = a constant.
	Observe bool
}

// check reports what cannot be.
func (c *Queueing) check() error {
	err := c.Spec.Validate()
	for _, name := range c.Members {
		_, unknown := queues.Named(name)
		err = errors.Join(err, unknown)
	}
	if c.Slots < 1 || !(c.Discount >= 0 && c.Discount < 1) {
		err = errors.Join(err, fmt.Errorf("%d slots with discount %v, expected 1 or more and 0..1", c.Slots, c.Discount))
	}
	return err
}

// model is what env/model makes an environment of.
func (c *Queueing) model() model.Config[*Queues] {
	seen := constant()
	if c.Observe {
		seen = layout.Segment{Name: "queue", Doc: "the queues", Items: 2,
			Features: layout.Features("jobs  0..1  share  jobs in the queue / most jobs")}
	}
	spec := env.Spec{ID: ID, Action: env.Discrete{N: len(c.Members)}, Observation: env.NewBox(0, 1, seen.Len()),
		Metrics: []string{"slot", "jobs"}, Layout: layout.Observation{Segments: []layout.Segment{seen}},
		Guide: layout.Guide{Action: actions(c.Members, "the slot"), Reward: "-(jobs in both queues at the begin of the slot)",
			Ends: fmt.Sprintf("truncated after %d slots; a slot is 1 unit of time", c.Slots)},
		Advice: env.Advice{"mixture": {"total_steps": 400_000, "gamma": c.Discount},
			"ppo": {"total_steps": 400_000, "gamma": c.Discount, "norm_reward": true}}}
	var rules []model.Rule[*Queues]
	for i, name := range c.Members {
		rules = append(rules, model.Rule[*Queues]{Name: name, Doc: name + " in each slot",
			Fresh: func(*rng.Stream) func(*Queues, []float64) {
				return func(_ *Queues, action []float64) { action[0] = float64(i) }
			}})
	}
	rules = append(rules, model.Rule[*Queues]{Name: "uniform", Doc: "a member in each slot, all alike",
		Fresh: func(r *rng.Stream) func(*Queues, []float64) {
			return func(_ *Queues, action []float64) { action[0] = float64(r.IntN(len(c.Members))) }
		}})
	return model.Config[*Queues]{Settings: c.Settings, Spec: spec, CostName: "discounted_jobs", Rules: rules,
		New: func() *Queues { return newQueues(c) }}
}

// Queues is an episode of two queues with one server.
type Queues struct {
	cfg    *Queueing
	rules  []queues.Rule
	draws  *rng.Stream
	at     queues.State
	slot   int
	cost   float64 // discounted jobs
	weight float64 // of the present slot in it
}

func newQueues(c *Queueing) *Queues {
	m := &Queues{cfg: c}
	for _, name := range c.Members {
		if rule, err := queues.Named(name); err == nil { // which check has seen
			m.rules = append(m.rules, rule)
		}
	}
	return m
}

// Start empties the queues. Arrivals are drawn slot by slot, two numbers each, whatever is served.
func (m *Queues) Start(r *rng.Stream) error {
	m.draws, m.at, m.slot, m.cost, m.weight = r, queues.State{}, 0, 0, 1
	return nil
}

// Observe writes the constant 1, or both queues.
func (m *Queues) Observe(obs []float64, _ []bool) {
	if !m.cfg.Observe {
		obs[0] = 1
		return
	}
	for q, n := range m.at {
		obs[q] = float64(n) / float64(m.cfg.Buffer)
	}
}

// Act lets a member serve the slot.
func (m *Queues) Act(action []float64) model.Outcome {
	jobs := float64(m.at.Jobs())
	m.cost += float64(m.weight * jobs)
	m.weight *= m.cfg.Discount
	arrives := [2]bool{m.draws.Float64() < m.cfg.Arrival[0], m.draws.Float64() < m.cfg.Arrival[1]}
	m.at = m.at.Slot(m.rules[int(action[0])](m.at), arrives, m.cfg.Buffer)
	m.slot++
	return model.Outcome{Reward: -jobs, Elapsed: 1, Truncated: m.slot >= m.cfg.Slots}
}

// Metrics writes the slot and the jobs in both queues.
func (m *Queues) Metrics(dst []float64) { dst[0], dst[1] = float64(m.slot), float64(m.at.Jobs()) }

// leastCost stands for an episode in which no job came.
const leastCost = 1e-9

// Cost is the sum of jobs at the begin of each slot, discounted.
func (m *Queues) Cost() float64 { return max(leastCost, m.cost) }
