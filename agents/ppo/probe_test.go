package ppo_test

import (
	"fmt"
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/probe"
)

// quick are settings that solve a probe in a blink.
func quick() ppo.Config {
	c := ppo.Default()
	c.TotalSteps, c.Envs, c.Steps, c.Epochs, c.Minibatches = 6_400, 4, 32, 6, 2
	c.LearningRate, c.Gamma, c.EntropyCoef, c.ClipValue, c.Hidden = 5e-3, 0.9, 0, false, []int{16}
	return c
}

// train runs all updates.
func train(t testing.TB, cfg ppo.Config, workers int, make func(int) (env.Env, error)) (*ppo.Learner, []ppo.Row) {
	t.Helper()
	l, err := ppo.New(cfg, workers, make)
	return l, agenttest.Train(t, l, err)
}

// probes runs every probe under a configuration and compares with the known answers.
func probes(t *testing.T, set func(id string, cfg *ppo.Config) bool) {
	for _, p := range probe.All() {
		cfg := quick()
		if p.ID == "probe/Slots-v0" || p.ID == "probe/Masked-v0" { // these have many different observations
			cfg.TotalSteps *= 2
		}
		if p.ID == limits { // a perceptron does not solve it: TestLimitsNeedSetNetworks
			cfg.Candidates, cfg.TotalSteps = limited(), 4*cfg.TotalSteps
		}
		if !set(p.ID, &cfg) {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			l, rows := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			defer l.Close()
			agenttest.Answers{Policy: l.Policy(), Value: l.Policy().Value, Gamma: cfg.Gamma}.Check(t, &p)
			if last := rows[len(rows)-1]; p.ID == "probe/Seen-v0" && !(last.ExplainedVariance > 0.99) {
				t.Errorf("explained variance is %g, expected about 1", last.ExplainedVariance)
			}
		})
	}
}

func TestProbes(t *testing.T) {
	probes(t, func(string, *ppo.Config) bool { return true })
}

// One kernel for all slots learns the same where the action chooses a slot.
func TestProbesWithCandidates(t *testing.T) {
	probes(t, func(id string, cfg *ppo.Config) bool {
		cfg.Candidates, cfg.TotalSteps = &ppo.Candidates{Features: 1}, 3_840 // every order is the same to it
		return id == "probe/Slots-v0"
	})
}

// limits is a probe with several choices of each candidate, limited its layout.
const limits = "probe/Limits-v0"

func limited() *ppo.Candidates { return &ppo.Candidates{Features: 3, Choices: 3, Present: true} }

// With several choices of each candidate and a mask the set network alone is right: a perceptron is not
// after as many steps, nor a set network that leaves out candidates without a legal choice, whose bits
// decide too.
func TestLimitsNeedSetNetworks(t *testing.T) {
	for _, p := range probe.All() {
		if p.ID != limits {
			continue
		}
		for name, list := range map[string]*ppo.Candidates{"set": limited(), "perceptron": nil,
			"legal only": {Features: 3, Choices: 3}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				cfg := quick()
				cfg.Candidates, cfg.TotalSteps = list, 4*cfg.TotalSteps
				l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
				defer l.Close()
				got := agenttest.Earned(t, l.Policy(), p.New(), 500)
				if (got > 0.99) != (list != nil && list.Present) {
					t.Errorf("mean reward %.3f", got)
				}
			})
		}
	}
}

// differential is a run on a probe that never ends, in the differential form.
func differential(normed bool) ppo.Config {
	cfg := quick()
	cfg.AverageReward, cfg.NormReward, cfg.Lambda, cfg.TotalSteps = true, normed, 0.9, 12_800
	return cfg
}

// The reward per time that is learnt is the exact one, by the clock and not by the step, and so are
// values relative to it. With normalised rewards values have another unit.
func TestProbesByTheRateOfReward(t *testing.T) {
	for _, p := range probe.All() {
		for _, normed := range []bool{false, true} {
			if p.Rate == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", p.ID, normed), func(t *testing.T) {
				t.Parallel()
				l, rows := train(t, differential(normed), 1, func(int) (env.Env, error) { return p.New(), nil })
				defer l.Close()
				if got := rows[len(rows)-1].RewardRate; !(math.Abs(got-p.Rate) <= 0.01) {
					t.Errorf("rate of reward is %.4f, expected %g", got, p.Rate)
				}
				action := make([]float64, 1)
				for _, obs := range [][]float64{{0}, {1}} {
					if err := l.Policy().Act(action, obs, nil, nil); err != nil {
						t.Fatal(err)
					}
					if want := p.Best(obs); obs[0] == 0 && action[0] != want[0] {
						t.Errorf("action on %v is %v, expected %v", obs, action, want)
					}
					want := p.Differential(obs)
					if got := l.Policy().Value(obs, nil); !normed && !(math.Abs(got-want) <= 0.05) {
						t.Errorf("value of %v is %.3f, expected %.3f", obs, got, want)
					}
				}
			})
		}
	}
}

// stepwise takes every step for one unit of time.
type stepwise struct{ env.Env }

func (s stepwise) Step(action []float64) (env.Step, error) {
	step, err := s.Env.Step(action)
	step.Info.Elapsed = 1
	return step, err
}

// The action that earns most by the clock is not the action that earns most by the step: a learner
// that forgets what steps take would learn the other one.
func TestTheClockDecides(t *testing.T) {
	for _, p := range probe.All() {
		if p.ID != "probe/Paced-v0" {
			continue
		}
		l, rows := train(t, differential(false), 1, func(int) (env.Env, error) { return stepwise{p.New()}, nil })
		defer l.Close()
		action := make([]float64, 1)
		if err := l.Policy().Act(action, []float64{0}, nil, nil); err != nil {
			t.Fatal(err)
		}
		if got := rows[len(rows)-1].RewardRate; action[0] != 1 || !(math.Abs(got-1.5) <= 0.01) {
			t.Errorf("by the step action %v and rate %.3f were learnt, expected 1 and 1.5", action[0], got)
		}
	}
}

func TestProbesWithTanh(t *testing.T) {
	probes(t, func(id string, cfg *ppo.Config) bool {
		cfg.Squash = true
		return id == "probe/Target-v0"
	})
}
