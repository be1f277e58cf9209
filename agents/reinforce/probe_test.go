package reinforce_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/agents/reinforce"
	"tarry/env"
	"tarry/env/probe"
)

// quick are settings that solve a probe in a blink.
func quick() reinforce.Config {
	c := reinforce.Default()
	c.TotalSteps, c.Sequences, c.Rollouts = 8_000, 8, 8
	c.LearningRate, c.Gamma, c.Hidden, c.Anneal = 2e-2, 0.9, []int{16}, true
	return c
}

// train runs all updates.
func train(t testing.TB, cfg reinforce.Config, workers int, make func(int) (env.Env, error)) (*reinforce.Learner,
	[]learn.Row) {
	t.Helper()
	l, err := reinforce.New(cfg, workers, make)
	return l, agenttest.Train(t, l, err)
}

// probes runs every probe under a configuration and compares actions with the known answers; there
// is no critic whose values could be.
func probes(t *testing.T, set func(id string, cfg *reinforce.Config) bool) {
	for _, p := range probe.All() {
		cfg := quick()
		switch p.ID {
		// many different observations, or fine actions
		case "probe/Slots-v0", "probe/Masked-v0", "probe/Target-v0", "probe/Paced-v0":
			cfg.TotalSteps *= 4
		case "probe/Limits-v0": // several choices of each candidate, which a perceptron does not solve
			cfg.TotalSteps *= 12
			cfg.Candidates = &policy.Candidates{Features: 3, Choices: 3, Present: true}
		}
		// it is cut after a number of steps, which the slow action would fill with more reward: all
		// are cut at one time
		if p.ID == "probe/Paced-v0" {
			cfg.Horizon = 12
		}
		if !set(p.ID, &cfg) {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			defer l.Close()
			agenttest.Answers{Policy: l.Policy()}.Check(t, &p)
		})
	}
}

func TestProbes(t *testing.T) {
	probes(t, func(string, *reinforce.Config) bool { return true })
}

// The other baselines find the same.
func TestProbesWithOtherBaselines(t *testing.T) {
	for _, name := range []string{reinforce.Time, reinforce.Constant} {
		probes(t, func(id string, cfg *reinforce.Config) bool {
			cfg.Baseline, cfg.LeaveOneOut = name, name == reinforce.Time
			return id == "probe/Choice-v0" || id == "probe/Match-v0"
		})
	}
}

// One kernel for all slots learns the same where the action chooses a slot.
func TestProbesWithCandidates(t *testing.T) {
	probes(t, func(id string, cfg *reinforce.Config) bool {
		cfg.Candidates = &policy.Candidates{Features: 1}
		return id == "probe/Slots-v0"
	})
}

func TestProbesWithTanh(t *testing.T) {
	probes(t, func(id string, cfg *reinforce.Config) bool {
		cfg.Squash = true
		return id == "probe/Target-v0"
	})
}
