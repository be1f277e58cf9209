package probe

import (
	"tarry/env"
	"tarry/env/layout"
	"tarry/sim/rng"
)

// matched is the reward of the right action in Privileged, beside luck of -1 or 1.
const matched = 1.0 / 100

// Privileged is a probe with a number for the critic alone: luck, -1 or 1, which is most of the
// reward. A critic that reads it takes nearly all variance from the advantages, so that a few
// thousand steps show that the action should be the bit; without it the right action earns 1/200 of a
// standard deviation more. All does not list it: it is for learners with a critic beside the actor.
func Privileged() Entry {
	e := entry("probe/Privileged-v0", "a critic that sees more than the actor", nil, nil, rules{},
		func(_ float64, obs []float64) float64 { return obs[0] + matched },
		func(obs []float64) []float64 { return []float64{obs[1]} })
	e.New = func() env.Env {
		m, _ := newMachine(env.Spec{ID: e.ID, Observation: env.NewBox(-1, 1, 2), Action: env.Discrete{N: 2}}, rules{
			func(s *rng.Stream, obs []float64, _ []bool) {
				obs[0], obs[1] = float64(2*s.IntN(2)-1), float64(s.IntN(2))
			},
			func(_ int, a, obs []float64, _ []bool) outcome {
				if a[0] == obs[1] {
					return ends(obs[0] + matched)
				}
				return ends(obs[0])
			}}).(*machine)
		seen := m.spec.Layout.Segments[0].Features
		m.spec.Layout.Segments = []layout.Segment{
			{Name: "luck", Features: seen[:1], Items: 1, CriticOnly: true},
			{Name: "seen", Features: seen[1:], Items: 1}}
		return m
	}
	return e
}
