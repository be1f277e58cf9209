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

// same compares rows, NaN equal to itself; numbers are printed with all their digits.
func same(a, b []ppo.Row) bool {
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) && len(a) == len(b)
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

// balance is a known policy for CartPole: push towards where the pole falls.
func balance(_ int, obs []float64, _ []bool, dst []float64) error {
	dst[0] = 0
	if obs[2]+0.3*obs[3]+0.02*obs[0]+0.1*obs[1] > 0 {
		dst[0] = 1
	}
	return nil
}

// After a warm start the policy does what it was shown, and training continues from there.
func TestImitate(t *testing.T) {
	cfg := ppo.Default()
	cfg.TotalSteps = 10 * 512
	l, err := ppo.New(cfg, 1, agenttest.Classic(cartPole))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var rows []ppo.Row
	warm := ppo.Imitation{Updates: 20, Epochs: 4, LearningRate: 3e-3}
	if err := l.Imitate(warm, balance, func(r ppo.Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if first, last := rows[0], rows[len(rows)-1]; !last.Imitation || !(last.PolicyLoss < 0.5*first.PolicyLoss) {
		t.Errorf("imitation went from %+v to %+v, expected half the loss", first, last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 300) {
		t.Errorf("the imitated policy earns %.1f, expected more than 300", got)
	}
	l2, err := ppo.Resume(cfg, 1, agenttest.Classic(cartPole), agenttest.Saved(t, l))
	if err != nil {
		t.Fatal(err)
	}
	defer l2.Close()
	a, err1 := l.Update()
	b, err2 := l2.Update()
	if err1 != nil || err2 != nil || !same([]ppo.Row{a}, []ppo.Row{b}) {
		t.Errorf("after a warm start the resumed run reported %+v, the other %+v, errors %v, %v", b, a, err1, err2)
	}
	if err := l.Imitate(warm, balance, nil); err == nil {
		t.Error("imitation after an update was accepted")
	}
}

// Demonstrations of continuous actions are followed, with and without tanh.
func TestImitateContinuous(t *testing.T) {
	for _, squash := range []bool{false, true} {
		cfg := quick()
		cfg.Squash = squash
		for _, p := range probe.All() {
			if p.ID != "probe/Target-v0" {
				continue
			}
			l, err := ppo.New(cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			if err != nil {
				t.Fatal(err)
			}
			err = l.Imitate(ppo.Imitation{Updates: 20, Epochs: 5, LearningRate: 0.01},
				func(_ int, obs []float64, _ []bool, dst []float64) error {
					dst[0] = obs[0] / 2
					return nil
				}, func(ppo.Row) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			got := []float64{0}
			if err := l.Policy().Act(got, []float64{1}, nil, nil); err != nil || math.Abs(got[0]-0.5) > 0.05 {
				t.Errorf("squash %v: action is %v, want 0.5, error %v", squash, got, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
