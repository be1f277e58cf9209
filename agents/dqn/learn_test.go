package dqn_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
	"tarry/env"
	"tarry/env/probe"
)

const cartPole = "classic/CartPole-v1"

// TestCartPole is a short run with settings that learn fast: a policy that acts at random gets
// about 22. TestValidate goes all the way of the published benchmark.
func TestCartPole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	cfg := dqn.Default()
	cfg.TotalSteps, cfg.LearningStarts, cfg.TrainEvery, cfg.Batch, cfg.Hidden = 12_000, 1000, 4, 64, []int{64, 64}
	cfg.LearningRate, cfg.EpsPart, cfg.TargetEvery = 1e-3, 0.3, 200
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	if last := rows[len(rows)-1]; !(last.Return > 60) || last.Steps != 12_000 || last.Update != 12 ||
		!(last.ValueLoss > 0) {
		t.Errorf("last row is %+v, expected a return above 60 after 12000 steps", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("the learnt policy earns %.1f, expected more than 100", got)
	}
}

// What one kernel learnt about candidates serves environments with more or fewer of them: the
// largest number is still the one to choose.
func TestCandidatesOfAnotherSize(t *testing.T) {
	cfg := quick()
	cfg.TotalSteps, cfg.Candidates = 6_000, &dqn.Candidates{Features: 1}
	for _, p := range probe.All() {
		if p.ID != "probe/Slots-v0" {
			continue
		}
		l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
		defer l.Close()
		saved := agenttest.Saved(t, l)
		for _, slots := range []int{3, 5, 8} {
			spec := env.Spec{ID: "test/Slots-v0", Observation: env.NewBox(0, 1, slots), Action: env.Discrete{N: slots}}
			policy, err := dqn.LoadPolicy(saved, &spec)
			if err != nil {
				t.Fatal(err)
			}
			obs, action := make([]float64, slots), []float64{0}
			for i := range obs {
				obs[i] = float64((i+2)%slots) / float64(slots-1)
			}
			if err := policy.Act(action, obs, nil, nil); err != nil || int(action[0]) != slots-3 {
				t.Errorf("%d slots: the choice on %v is %v, want %d, error %v", slots, obs, action, slots-3, err)
			}
		}
		spec := env.Spec{ID: "test/Slots-v0", Observation: env.NewBox(0, 1, 5), Action: env.Discrete{N: 4}}
		if _, err := dqn.LoadPolicy(saved, &spec); err == nil {
			t.Error("5 candidates for 4 choices were accepted")
		}
	}
}
