package agents_test

import (
	"bytes"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/agents"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/classic"
	"tarry/env/preempt"
)

// a2c and reinforce train through the catalogue, save, resume to the same bytes, and their frozen
// policies act like the learner's; on CartPole and among the candidates of Preempt.
func TestPolicyGradients(t *testing.T) {
	const small = "cluster=2x2x4,windows=8,warm=2,horizon=24"
	carts := func(int) (env.Env, error) { return classic.CartPole(), nil }
	jobs := func(int) (env.Env, error) { return preempt.Make(simulation.All(), small) }
	for _, c := range []struct {
		agent, id, set string
		make           func(int) (env.Env, error)
		steps, updates int
	}{
		{"a2c", "classic/CartPole-v1", "total_steps=80 rollouts=2 envs=2", carts, 80, 4},
		{"a2c", "tarry/Preempt-v0", "total_steps=64 rollouts=1 envs=2", jobs, 64, 2},
		{"reinforce", "classic/CartPole-v1", "total_steps=300 sequences=2", carts, 300, 0},
		{"reinforce", "tarry/Preempt-v0", "total_steps=100 rollouts=2", jobs, 100, 0},
	} {
		e, err := agents.All().Find(c.agent)
		if err != nil {
			t.Fatal(err)
		}
		given := []registry.Setting{{Key: "hidden", Value: "4"}}
		for _, s := range strings.Fields(c.set) {
			k, v, _ := strings.Cut(s, "=")
			given = append(given, registry.Setting{Key: k, Value: v})
		}
		cfg, err := e.Configure(specOf(t, c.id), 1, given)
		if err != nil {
			t.Fatal(err)
		}
		text, err := cfg.JSON()
		if err != nil || strings.Contains(string(text), `"candidates":{"global":23`) != (c.id == "tarry/Preempt-v0") {
			t.Errorf("%s on %s: %s, %v", c.agent, c.id, text, err)
		}
		if cfg.Steps() != c.steps || cfg.Updates() != c.updates || cfg.Envs() != 2 {
			t.Errorf("%s on %s: %d steps, %d updates, %d environments", c.agent, c.id, cfg.Steps(), cfg.Updates(),
				cfg.Envs())
		}
		l, err := cfg.New(1, c.make)
		if err != nil {
			t.Fatal(c.agent, err)
		}
		if _, err := l.Update(); err != nil {
			t.Fatal(c.agent, err)
		}
		kept := saved(t, l)
		again, err := cfg.Resume(2, c.make, kept)
		if err != nil {
			t.Fatal(c.agent, err)
		}
		other, _ := c.make(0)
		frozen, err := e.Load(kept, other.Spec())
		if err != nil {
			t.Fatal(c.agent, err)
		}
		seed := uint64(3)
		obs, info, err := other.Reset(&seed, "")
		if err != nil {
			t.Fatal(err)
		}
		var acts [3][1]float64
		for i, p := range []registry.Policy{l.Policy(), again.Policy(), frozen.Fork()} {
			if err := p.Act(acts[i][:], obs, info.Mask, nil); err != nil {
				t.Fatal(err)
			}
		}
		if acts[0] != acts[1] || acts[0] != acts[2] {
			t.Errorf("%s on %s: actions %v, expected three equal ones", c.agent, c.id, acts)
		}
		for !l.Done() {
			_, err1 := l.Update()
			_, err2 := again.Update()
			if err1 != nil || err2 != nil {
				t.Fatal(c.agent, err1, err2)
			}
		}
		if !bytes.Equal(saved(t, l), saved(t, again)) {
			t.Errorf("%s on %s: the resumed run ended in other bytes", c.agent, c.id)
		}
		for _, l := range []registry.Learner{l, again} {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := e.Load([]byte("x"), other.Spec()); err == nil ||
			!strings.HasPrefix(err.Error(), c.agent+": checkpoint") {
			t.Errorf("%s: loading nonsense gives %v", c.agent, err)
		}
	}
}

func saved(t *testing.T, l registry.Learner) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Settings that do not exist, or contradict one another, are reported under the agent's name.
func TestPolicyGradientFaults(t *testing.T) {
	for agent, want := range map[string][]string{
		"a2c": {`unknown setting "optimiser"`, `did you mean "optimizer"?`, "a2c: gamma is 2",
			"a2c: log_std is 9"},
		"reinforce": {`unknown setting "optimiser"`, "reinforce: gamma is 2", "reinforce: log_std is 9"},
	} {
		e, err := agents.All().Find(agent)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Configure(specOf(t, "tarry/DelayTimer-v0"), 1,
			[]registry.Setting{{Key: "optimiser", Value: "x"}, {Key: "gamma", Value: "2"}, {Key: "log_std", Value: "9"}})
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q is not told: %v", agent, w, err)
			}
		}
	}
}
