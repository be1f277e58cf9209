package dispatch

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/sim/rng"
	"tarry/sim/service/dispatch"
)

// model is what env/model makes an environment of.
func (c *Config) model() model.Config[*Model] {
	return model.Config[*Model]{Settings: c.Settings, Spec: c.spec(), CostName: "missed_frac", Rules: rules(),
		New: func() *Model { return newModel(c) }}
}

// rules are the rules of the world.
func rules() (out []model.Rule[*Model]) {
	docs := map[string]string{
		"cloud":               "every request to the cloud",
		"shortest-queue":      "the node with the shortest queue that has the pod; the cloud where none has it",
		"shortest-with-cloud": "the shortest queue of nodes and cloud",
		"own-cluster-first":   "the shortest queue of the cluster's own nodes; the cloud where none has the pod",
		"round-robin":         "the cloud and the nodes that have the pod in turn",
		"least-delay":         "the target that makes the fewest requests late, then where the request ends first",
	}
	for _, r := range dispatch.Rules() {
		one := model.Rule[*Model]{Name: r.Name, Doc: docs[r.Name], Fresh: func(*rng.Stream) func(*Model, []float64) {
			var choose func() int
			return func(m *Model, action []float64) {
				if choose == nil {
					choose = r.New(m.world)
				}
				action[0] = float64(choose())
			}
		}}
		out = append(out, one)
	}
	return out
}

// spec describes the environment.
func (c *Config) spec() env.Spec {
	targets := len(nodes()) + 1
	s := env.Spec{ID: ID, Masked: true, Action: env.Discrete{N: targets}, Metrics: metricNames(),
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf("0..%d  hand the request to that node, by cluster\n"+
			"%d  hand it to the cloud", targets-2, targets-1)),
			Ends: fmt.Sprintf("truncated at the first question at or after slot %d; a slot is %v s", c.Slots, slotS)},
		// What a choice does to others shows until their deadlines, 16 slots later.
		Advice: env.Advice{"ppo": {"total_steps": 80_000, "envs": 16, "steps": 256, "gamma": 0.97, "lambda": 0.99,
			"learning_rate": 3e-3, "epochs": 4, "minibatches": 8, "norm_reward": true, "entropy_coef": 0},
			"a2c": {"total_steps": 80_000, "gamma": 0.97, "norm_reward": true}}}
	const turn = "; a slot's reward goes to its last question, whose Elapsed is 1 (or the slots until the next " +
		"question), the others have reward and Elapsed 0: the return of each question is the team's"
	if c.Protocol == kais {
		s.Layout.Segments = publishedSegments()
		n := 0
		for i := range s.Layout.Segments {
			n += s.Layout.Segments[i].Len()
		}
		s.Observation = env.NewBox(0, mostQueue, n)
		s.Advice["ppo"]["norm_obs"] = true
		s.Guide.Reward = "of a slot: the sum over the clusters of e^-(missed part of the requests that ended) + " +
			"e^-(sample standard deviation of the free parts of CPU and memory of its nodes)" + turn
		return s
	}
	s.Observation, s.Layout = fairSpace(), layout.Observation{Segments: fairSegments(), Acts: layout.OnOne}
	s.Guide.Reward = "of a slot: -(requests missed) / (requests expected in an episode), so that a return is the " +
		"served part less 1" + turn
	return s
}
