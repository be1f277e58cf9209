package pac_test

import (
	"os"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/pac"
	"tarry/agents/policy"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/probe"
)

// quick are settings that solve a probe in a blink.
func quick() pac.Config {
	c := pac.Default()
	c.TotalSteps, c.Envs, c.Steps, c.Buffer, c.LearningStarts, c.Batch = 4_000, 1, 500, 512, 512, 32
	c.LearningRate, c.EntropyCoef, c.Gamma, c.Hidden = 3e-3, 0.02, 0.9, []int{16}
	c.BetaStep = 1e-3
	return c
}

// train runs all updates.
func train(t testing.TB, cfg pac.Config, workers int, make func(int) (env.Env, error)) (*pac.Learner, []learn.Row) {
	t.Helper()
	l, err := pac.New(cfg, workers, make)
	return l, agenttest.Train(t, l, err)
}

// probes are the settings for each probe that has one decision in a slot and an answer that does not
// move: values of old decisions, which count as they are, fit a policy that changes no more.
func probes(t *testing.T, set func(id string, cfg *pac.Config) bool) {
	for _, p := range probe.All() {
		cfg := quick()
		if !set(p.ID, &cfg) {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			defer l.Close()
			agenttest.Answers{Policy: l.Policy(), Gamma: cfg.Gamma}.Check(t, &p)
		})
	}
}

func TestProbes(t *testing.T) {
	probes(t, func(id string, cfg *pac.Config) bool {
		switch id {
		case "probe/Pair-v0":
			cfg.TotalSteps, cfg.LearningRate, cfg.EntropyCoef = 4*cfg.TotalSteps, 1e-3, 0.1
		case "probe/Slots-v0": // the same slots in another order
			cfg.TotalSteps, cfg.Candidates = 2*cfg.TotalSteps, &policy.Candidates{Features: 1}
		case "probe/Delayed-v0", "probe/Endless-v0", "probe/Waiting-v0":
			cfg.Returns = pac.Bootstrapped
		}
		return id != "probe/Paced-v0" && id != "probe/Limits-v0" && id != "probe/Target-v0"
	})
}

// Priorities find a slot that earns once in 1024: five seeds of five act by it after 8 000 steps; drawn
// alike, decisions leave most seeds without it, as do fresh ones.
func TestPrioritiesFindRareSlots(t *testing.T) {
	p := probe.Rare()
	found := func(a agenttest.Actor) bool {
		action := make([]float64, 1)
		for _, obs := range [][]float64{{0, 0}, {1, 0}} {
			if err := a.Act(action, obs, nil, nil); err != nil {
				t.Fatal(err)
			}
			if action[0] != p.Best(obs)[0] {
				return false
			}
		}
		return true
	}
	make := func(int) (env.Env, error) { return p.New(), nil }
	priority, alike, fresh, byCritic, alikeByCritic := 0, 0, 0, 0, 0
	for seed := range uint64(5) {
		for _, c := range []struct {
			alpha    float64
			baseline string
			count    *int
		}{{0.9, pac.ByMean, &priority}, {0, pac.ByMean, &alike}, {0.9, pac.ByCritic, &byCritic},
			{0, pac.ByCritic, &alikeByCritic}} {
			if c.baseline == pac.ByCritic && os.Getenv("TARRY_VALIDATE") == "" {
				continue
			}
			cfg := quick()
			cfg.Seed, cfg.Alpha, cfg.Baseline, cfg.EntropyCoef, cfg.TotalSteps = seed+1, c.alpha, c.baseline, 0.1, 8_000
			cfg.BetaStep, cfg.Buffer = 1e-4, 8192
			l, _ := train(t, cfg, 1, make)
			if found(l.Policy()) {
				*c.count++
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
		on := ppo.Default()
		on.Seed, on.TotalSteps, on.Envs, on.Steps, on.Gamma, on.LearningRate, on.Hidden = seed+1, 8_000, 1, 128, 0.9, 3e-3,
			[]int{16}
		l, err := ppo.New(on, 1, make)
		agenttest.Train(t, l, err)
		if found(l.Policy()) {
			fresh++
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("of 5 seeds %d by priority, %d alike, %d with ppo; measured from the critic %d and %d", priority, alike, fresh,
		byCritic, alikeByCritic)
	if priority < 5 || alike > 3 || fresh > 2 {
		t.Errorf("%d by priority, %d alike, %d with ppo, of 5 seeds", priority, alike, fresh)
	}
}
