package dqn_test

import (
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
	"tarry/env"
	"tarry/env/probe"
)

// quick are settings that solve a probe in a blink.
func quick() dqn.Config {
	c := dqn.Default()
	c.TotalSteps, c.Envs, c.Steps, c.Buffer, c.LearningStarts = 4_000, 2, 100, 2_000, 100
	c.TrainEvery, c.Batch, c.TargetEvery, c.LearningRate, c.Gamma, c.Hidden = 4, 32, 40, 3e-3, 0.9, []int{16}
	return c
}

// train runs all updates.
func train(t testing.TB, cfg dqn.Config, workers int, make func(int) (env.Env, error)) (*dqn.Learner, []dqn.Row) {
	t.Helper()
	l, err := dqn.New(cfg, workers, make)
	return l, agenttest.Train(t, l, err)
}

// probes runs every probe that a configuration is set for and compares with the known answers.
func probes(t *testing.T, set func(id string, cfg *dqn.Config) bool) {
	for _, p := range probe.All() {
		cfg := quick()
		if p.ID == "probe/Slots-v0" || p.ID == "probe/Masked-v0" { // these have many different observations
			cfg.TotalSteps, cfg.Buffer, cfg.Hidden = 12_000, 6_000, []int{32, 32}
		}
		if p.ID == "probe/Limits-v0" || !discrete(p) || !set(p.ID, &cfg) {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			l, rows := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			defer l.Close()
			// both actions lead to the same
			tie := func(obs []float64) bool { return p.ID == "probe/Paced-v0" && obs[0] == 1 }
			agenttest.Answers{Policy: l.Policy(), Value: l.Policy().Value, Gamma: cfg.Gamma, Tie: tie}.Check(t, &p)
			if last := rows[len(rows)-1]; p.ID == "probe/Seen-v0" && !(last.ExplainedVariance > 0.99) {
				t.Errorf("explained variance is %g, expected about 1", last.ExplainedVariance)
			}
		})
	}
}

// discrete reports whether a probe has one choice among several.
func discrete(p probe.Entry) bool {
	_, ok := p.New().Spec().Action.(env.Discrete)
	return ok
}

func TestProbes(t *testing.T) {
	probes(t, func(string, *dqn.Config) bool { return true })
}

// Value and advantages apart, several steps at once, without double learning, Huber's loss: the
// answers are the same. A discounted sum over several steps must end where episodes do.
func TestProbesOtherwise(t *testing.T) {
	probes(t, func(id string, cfg *dqn.Config) bool {
		cfg.Duel, cfg.NSteps, cfg.Double, cfg.Huber, cfg.Tau, cfg.TargetEvery = true, 3, false, true, 0.2, 8
		return id != "probe/Slots-v0"
	})
}

// One kernel for all slots learns the same where the action chooses a slot.
func TestProbesWithCandidates(t *testing.T) {
	probes(t, func(id string, cfg *dqn.Config) bool {
		cfg.Candidates, cfg.TotalSteps = &dqn.Candidates{Features: 1}, 6_000
		return id == "probe/Slots-v0"
	})
}

// Several choices of each candidate: most actions are right, though values are not yet to 5 %.
func TestLimits(t *testing.T) {
	for _, p := range probe.All() {
		if p.ID != "probe/Limits-v0" {
			continue
		}
		cfg := quick()
		cfg.TotalSteps, cfg.Buffer, cfg.Hidden = 12_000, 6_000, []int{32}
		cfg.Candidates = &dqn.Candidates{Features: 3, Choices: 3, Present: true}
		l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
		defer l.Close()
		if got := agenttest.Earned(t, l.Policy(), p.New(), 500); !(got > 0.95) {
			t.Errorf("mean reward %.3f", got)
		}
	}
}

// Actions that are no single choice are refused.
func TestOtherActionsAreRefused(t *testing.T) {
	for _, p := range probe.All() {
		if discrete(p) {
			continue
		}
		_, err := dqn.New(quick(), 1, func(int) (env.Env, error) { return p.New(), nil })
		if err == nil || !strings.Contains(err.Error(), "dqn: the actions of "+p.ID+" are ") ||
			!strings.Contains(err.Error(), "expected Discrete") {
			t.Errorf("%s: error is %v", p.ID, err)
		}
	}
}
