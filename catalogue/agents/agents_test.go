package agents_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarry/agents/ppo"
	"tarry/agents/registry"
	"tarry/catalogue/agents"
	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/classic"
)

// Every entry is named once and described, and every key that it lists can be set.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range agents.All() {
		if e.Name == "" || seen[e.Name] || e.Doc == "" || e.Paper == "" || len(e.Keys) == 0 {
			t.Errorf("entry %+v is not named once and described", e)
		}
		seen[e.Name] = true
		_, err := e.Configure(specOf(t, "classic/CartPole-v1"), 1,
			[]registry.Setting{{Key: "no_such", Value: "1", Where: "--set"}})
		for _, k := range e.Keys {
			if err == nil || !strings.Contains(err.Error(), k) {
				t.Errorf("%s: key %s is not in %v", e.Name, k, err)
			}
		}
	}
}

func TestConfigure(t *testing.T) {
	e, err := agents.All().Find("ppo")
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Configure(specOf(t, "classic/CartPole-v1"), 7,
		[]registry.Setting{{Key: "total_steps", Value: "2_048"}, {Key: "hidden", Value: "8,4"},
			{Key: "anneal", Value: "false"},
			{Key: "candidates", Value: `{"global":3,"features":2}`}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got ppo.Config
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := ppo.Default()
	want.Seed, want.TotalSteps, want.Hidden, want.Anneal = 7, 2048, []int{8, 4}, false
	want.Candidates = &ppo.Candidates{Global: 3, Features: 2}
	if a, b := fmt.Sprintf("%+v %+v", got, *got.Candidates),
		fmt.Sprintf("%+v %+v", want, *want.Candidates); strings.Split(a, "Candidates:")[0] != strings.Split(b,
		"Candidates:")[0] || *got.Candidates != *want.Candidates {
		t.Errorf("configured %s\nwant %s", a, b)
	}
	if c.Updates() != 4 || c.Steps() != 2048 || c.Envs() != 4 {
		t.Errorf("%d updates, %d steps, %d environments, expected 4, 2048, 4", c.Updates(), c.Steps(), c.Envs())
	}
}

// The encoder of the clusters' environments can be chosen by name, and what was chosen is read back
// from the recorded settings.
func TestEncoders(t *testing.T) {
	e, _ := agents.All().Find("ppo")
	for _, c := range []struct {
		id, encoder string
		want        *ppo.Candidates
	}{
		{"tarry/DelayTimer-v0", "classes", &ppo.Candidates{Global: 12, Features: 14, Each: 2}},
		{"tarry/DelayTimer-v0", "mlp", nil},
		{"tarry/DelayTimer-v0", "", nil},
		{"tarry/DelayTimerDiscrete-v0", "classes", &ppo.Candidates{Global: 12, Features: 14, Each: 21}},
		{"tarry/Preempt-v0", "", &ppo.Candidates{Global: 23, Features: 17, Extra: 1}},
		{"tarry/Preempt-v0", "mlp", nil},
		{"tarry/Offer-v0", "", nil},
		{"tarry/Order-v0:globals=false", "", &ppo.Candidates{Global: 13, Features: 12, Each: 1}},
		{"tarry/Order-v0:globals=false", "ranking", &ppo.Candidates{Global: 13, Features: 12, Each: 1}},
		{"tarry/Order-v0:globals=false", "classes", &ppo.Candidates{Global: 13, Features: 12, Each: 1}},
		{"tarry/Order-v0:globals=false", "mlp", nil},
		{"tarry/Order-v0", "", nil},
	} {
		var given []registry.Setting
		if c.encoder != "" {
			given = []registry.Setting{{Key: "encoder", Value: c.encoder}}
		}
		for range 2 { // once as given, once as recorded
			got, err := e.Configure(specOf(t, c.id), 1, given)
			if err != nil {
				t.Fatal(c.id, err)
			}
			text, err := got.JSON()
			if err != nil {
				t.Fatal(err)
			}
			var cfg ppo.Config
			var fields map[string]json.RawMessage
			if err := errors.Join(json.Unmarshal(text, &cfg), json.Unmarshal(text, &fields)); err != nil {
				t.Fatal(err)
			}
			if (cfg.Candidates == nil) != (c.want == nil) || c.want != nil && *cfg.Candidates != *c.want {
				t.Errorf("%s, encoder %q: candidates %+v, expected %+v", c.id, c.encoder, cfg.Candidates, c.want)
			}
			given = nil
			for k, v := range fields {
				if k != "seed" {
					given = append(given, registry.Setting{Key: k, Value: string(v)})
				}
			}
		}
	}
	_, err := e.Configure(specOf(t, "tarry/Offer-v0"), 1, []registry.Setting{{Key: "encoder", Value: "classes"}})
	if want := `ppo: encoder is "classes" without candidates, expected what states how observations list them`; err == nil || err.Error() != want {
		t.Errorf("classes of an environment without any give %v, expected %s", err, want)
	}
}

// A wrong number is the only fault where the environment lists candidates.
func TestFaultBesideCandidates(t *testing.T) {
	e, _ := agents.All().Find("ppo")
	given := []registry.Setting{{Key: "total_steps", Value: "1e", Where: "--steps"}}
	_, err := e.Configure(specOf(t, "tarry/Racks-v0"), 1, given)
	if want := `--steps: total_steps is "1e", expected a whole number`; err == nil || err.Error() != want {
		t.Errorf("error %v, expected %s", err, want)
	}
}

// Every fault is reported, with the place of the setting and what was expected.
func TestConfigureFaults(t *testing.T) {
	e, _ := agents.All().Find("ppo")
	given := []registry.Setting{{Key: "gama", Value: "1", Where: "--set"}, {Key: "gamma", Value: "x", Where: "a.yaml:3"},
		{Key: "hidden", Value: "8,b", Where: ""}, {Key: "envs", Value: "1.5", Where: ""},
		{Key: "anneal", Value: "maybe", Where: ""}, {Key: "clip", Value: "-1", Where: ""},
		{Key: "candidates", Value: `{"globl":1}`, Where: ""}, {Key: "seed", Value: "3", Where: ""},
		{Key: "lambda", Value: "1 2", Where: ""}}
	_, err := e.Configure(specOf(t, "classic/CartPole-v1"), 1, given)
	for _, want := range []string{`--set: unknown setting "gama"`, `did you mean "gamma"?`,
		`a.yaml:3: gamma is "x", expected a number`, `hidden is "8,b", expected whole numbers`,
		`envs is "1.5", expected a whole number`, `anneal is "maybe", expected true or false`, `clip is -1`,
		`candidates is`, `unknown setting "seed"`, `lambda is "1 2"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told:\n%v", want, err)
		}
	}
	if _, err := agents.All().Find("pp"); err == nil || !strings.Contains(err.Error(), `did you mean "ppo"?`) {
		t.Errorf("finding pp gives %v", err)
	}
}

// A learner of the catalogue trains, saves, resumes, and its frozen policy acts like it.
func TestLearner(t *testing.T) {
	e, _ := agents.All().Find("ppo")
	c, err := e.Configure(specOf(t, "classic/CartPole-v1"), 1,
		[]registry.Setting{{Key: "total_steps", Value: "64"}, {Key: "steps", Value: "8"}, {Key: "hidden", Value: "4"}})
	if err != nil {
		t.Fatal(err)
	}
	carts := func(int) (env.Env, error) { return classic.CartPole(), nil }
	l, err := c.New(1, carts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Resume(2, carts, saved)
	if err != nil {
		t.Fatal(err)
	}
	frozen, err := e.Load(saved, classic.CartPole().Spec())
	if err != nil {
		t.Fatal(err)
	}
	obs := []float64{0.01, 0.2, -0.03, 0.4}
	var acts [3][1]float64
	for i, p := range []registry.Policy{l.Policy(), again.Policy(), frozen.Fork()} {
		if err := p.Act(acts[i][:], obs, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if acts[0] != acts[1] || acts[0] != acts[2] || l.Done() {
		t.Errorf("actions %v, done %v: expected three equal ones of an unfinished run", acts, l.Done())
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// What is recorded of an agent's settings, given again one by one, is the same configuration.
func TestSettingsAreReadBack(t *testing.T) {
	for _, e := range agents.All() {
		for _, id := range []string{"classic/CartPole-v1", "classic/Pendulum-v1", "tarry/DelayTimer-v0",
			"tarry/Preempt-v0"} {
			c, err := e.Configure(specOf(t, id), 7, nil)
			if err != nil {
				t.Fatal(e.Name, id, err)
			}
			text, err := c.JSON()
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(text, &fields); err != nil {
				t.Fatal(err)
			}
			delete(fields, "seed") // is a flag of its own
			var given []registry.Setting
			for k, v := range fields {
				given = append(given, registry.Setting{Key: k, Value: string(v)})
			}
			again, err := e.Configure(nil, 7, given)
			if err != nil {
				t.Fatal(e.Name, id, err)
			}
			if got, err := again.JSON(); err != nil || string(got) != string(text) {
				t.Errorf("%s on %s: %s is read back as %s, error %v", e.Name, id, text, got, err)
			}
		}
	}
}

// specOf is the Spec of an environment of the catalogue.
func specOf(t testing.TB, id string) *env.Spec {
	t.Helper()
	e, err := envs.All().Make(simulation.All(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e.Spec()
}
