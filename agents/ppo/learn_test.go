package ppo_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/probe"
)

const cartPole = "classic/CartPole-v1"

// TestCartPole is the start of the published benchmark: a policy that acts at random gets
// about 22. TestValidate goes all the way.
func TestCartPole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	cfg := ppo.Default()
	cfg.TotalSteps = 30_720
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	if last := rows[len(rows)-1]; !(last.Return > 120) || last.Steps != 30_720 || last.Update != 60 {
		t.Errorf("last row is %+v, expected a return above 120 after 30720 steps", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 150) {
		t.Errorf("the learnt policy earns %.1f, expected more than 150", got)
	}
}

// What one kernel learnt about candidates serves environments with more or fewer of them:
// the largest number is still the one to choose.
func TestCandidatesOfAnotherSize(t *testing.T) {
	cfg := quick()
	cfg.TotalSteps, cfg.Candidates = 3_840, &ppo.Candidates{Features: 1}
	for _, p := range probe.All() {
		if p.ID != "probe/Slots-v0" {
			continue
		}
		l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
		defer l.Close()
		saved := agenttest.Saved(t, l)
		for _, slots := range []int{3, 5, 12} {
			spec := env.Spec{ID: "test/Slots-v0", Observation: env.NewBox(0, 1, slots), Action: env.Discrete{N: slots}}
			policy, err := ppo.LoadPolicy(saved, &spec)
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
		if _, err := ppo.LoadPolicy(saved, &spec); err == nil {
			t.Error("5 candidates for 4 choices were accepted")
		}
	}
}
