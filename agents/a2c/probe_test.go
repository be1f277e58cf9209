package a2c_test

import (
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/env/probe"
)

// quick are settings that solve a probe in a blink.
func quick() a2c.Config {
	c := a2c.Default()
	c.TotalSteps, c.Envs, c.Steps, c.Rollouts = 16_000, 8, 10, 10
	c.Optimizer, c.LearningRate, c.Gamma, c.Hidden = "adam", 1e-2, 0.9, []int{16}
	c.Anneal, c.NormAdvantage, c.MaxGradNorm = true, true, 0
	return c
}

// train runs all updates.
func train(t testing.TB, cfg a2c.Config, workers int, make func(int) (env.Env, error)) (*a2c.Learner, []learn.Row) {
	t.Helper()
	l, err := a2c.New(cfg, workers, make)
	return l, agenttest.Train(t, l, err)
}

// probes runs every probe under a configuration and compares with the known answers.
func probes(t *testing.T, set func(id string, cfg *a2c.Config) bool) {
	for _, p := range probe.All() {
		cfg := quick()
		switch p.ID {
		// these have many different observations, or values
		case "probe/Slots-v0", "probe/Masked-v0", "probe/Waiting-v0", "probe/Paced-v0":
			cfg.TotalSteps *= 3
		case "probe/Target-v0": // exploration has to end before the value belongs to the best action
			cfg.TotalSteps, cfg.LogStd = 3*cfg.TotalSteps, -1
		case "probe/Limits-v0": // several choices of each candidate, which a perceptron does not solve
			cfg.TotalSteps *= 6
			cfg.Candidates = &policy.Candidates{Features: 3, Choices: 3, Present: true}
		}
		if !set(p.ID, &cfg) {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			defer l.Close()
			agenttest.Answers{Policy: l.Policy(), Value: l.Policy().Value, Gamma: cfg.Gamma}.Check(t, &p)
		})
	}
}

func TestProbes(t *testing.T) {
	probes(t, func(string, *a2c.Config) bool { return true })
}

// One kernel for all slots learns the same where the action chooses a slot.
func TestProbesWithCandidates(t *testing.T) {
	probes(t, func(id string, cfg *a2c.Config) bool {
		cfg.Candidates = &policy.Candidates{Features: 1}
		return id == "probe/Slots-v0"
	})
}

func TestProbesWithTanh(t *testing.T) {
	probes(t, func(id string, cfg *a2c.Config) bool {
		cfg.Squash = true
		return id == "probe/Target-v0"
	})
}
