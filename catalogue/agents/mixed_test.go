package agents

import (
	"math/rand/v2"
	"testing"

	"tarry/agents/registry"
	"tarry/env"
	"tarry/env/probe"
	"tarry/internal/effort"
)

// mixedBudget is what each learner gets of probe.Mixed, in steps.
const mixedBudget = "60000"

// earned is the mean return of a policy over 4000 episodes of probe.Mixed, without luck; with draws nil
// it acts as it does in an evaluation.
func earned(t *testing.T, p registry.Policy, draws *rand.Rand) float64 {
	t.Helper()
	e, action, total := probe.Mixed().New(), []float64{0}, 0.0
	const n = 4000
	for i := range n {
		seed := uint64(i)
		obs, _, err := e.Reset(&seed, "")
		sum := 0.0
		for done := err != nil; !done; {
			if err = p.Act(action, obs, nil, draws); err != nil {
				break
			}
			var s env.Step
			if s, err = e.Step(action); err != nil {
				break
			}
			sum += s.Reward
			obs, done = s.Obs, s.Done()
		}
		if err != nil {
			t.Fatal(err)
		}
		if total += sum - 16; sum < 0 {
			total += 32
		}
	}
	return total / n
}

// learned trains an agent on probe.Mixed.
func learned(t *testing.T, agent string, seed uint64, set ...registry.Setting) registry.Policy {
	t.Helper()
	entry, err := All().Find(agent)
	if err != nil {
		t.Fatal(err)
	}
	c, err := entry.Configure(nil, seed, append(set, registry.Setting{Key: "total_steps", Value: mixedBudget}))
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.New(1, func(int) (env.Env, error) { return probe.Mixed().New(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for !l.Done() {
		if _, err := l.Update(); err != nil {
			t.Fatal(err)
		}
	}
	return l.Policy()
}

// tried are learners with settings for probe.Mixed.
func tried(agent string) []registry.Setting {
	if agent == "mixture" {
		return []registry.Setting{{Key: "gradient", Value: "spsa"}, {Key: "sequences", Value: "32"},
			{Key: "rollouts", Value: "2"}, {Key: "normalise", Value: "false"}, {Key: "learning_rate", Value: "4"},
			{Key: "perturb", Value: "0.5"}}
	}
	return []registry.Setting{{Key: "hidden", Value: "[16]"}, {Key: "learning_rate", Value: "3e-3"}}
}

// No member of probe.Mixed is good: five seeds of mixture find how to draw them, and other learners do
// not with as many steps, acting as they are measured, or drawing their actions.
func TestMixtureAloneSolvesMixed(t *testing.T) {
	short := []string{"mixture", "ppo", "reinforce", "dqn"}
	best := probe.Mixed().Value(1, nil)
	for _, agent := range effort.Of(t, short, append(short, "a2c", "pac")) {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(5) {
				p := learned(t, agent, seed+1, tried(agent)...)
				measured, drawn := earned(t, p, nil), earned(t, p, rand.New(rand.NewPCG(1, seed)))
				t.Logf("seed %d earns %.3f, and %.3f with drawn actions, of %.3f", seed+1, measured, drawn, best)
				if solved := max(measured, drawn) > 0.7*best; solved != (agent == "mixture") {
					t.Errorf("seed %d earns %.3f, and %.3f with drawn actions, of %.3f", seed+1, measured, drawn, best)
				}
			}
		})
	}
}
