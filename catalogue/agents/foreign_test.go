package agents_test

import (
	"strings"
	"testing"

	"tarry/catalogue/agents"
	"tarry/env"
	"tarry/env/layout"
)

// foreign is the Spec of an environment that no package names: 5 numbers, then 4 items of 3, of
// which one may be chosen, or none.
func foreign() *env.Spec {
	return &env.Spec{ID: "mine/Env-v0", Observation: env.NewBox(0, 1, 17), Action: env.Discrete{N: 5}, Masked: true,
		Layout: layout.Observation{Acts: layout.OnOne, Segments: []layout.Segment{{Name: "all",
			Features: layout.Features("a\nb\nc\nd\ne"), Items: 1},
			{Name: "item", Features: layout.Features("x\ny\nz"), Items: 4}}},
		Advice: env.Advice{"ppo": {"gamma": 0.5}, "dqn": {"hidden": []int{7}}}}
}

// What an agent starts from follows from the Spec alone, also for an environment of another module.
func TestForeignSpec(t *testing.T) {
	list := `"candidates":{"global":5,"features":3,"extra":1}`
	for agent, want := range map[string][]string{
		"ppo": {list, `"encoder":"candidates"`, `"gamma":0.5`}, "a2c": {list, `"encoder":"candidates"`},
		"reinforce": {list}, "dqn": {list, `"hidden":[7]`},
	} {
		e, err := agents.All().Find(agent)
		if err != nil {
			t.Fatal(err)
		}
		c, err := e.Configure(foreign(), 1, nil)
		if err != nil {
			t.Fatal(agent, err)
		}
		text, err := c.JSON()
		for _, part := range want {
			if err != nil || !strings.Contains(string(text), part) {
				t.Errorf("%s: %s lacks %s, error %v", agent, text, part, err)
			}
		}
	}
	for want, change := range map[string]func(s *env.Spec){
		"mine/Env-v0: layout: segments of 17 numbers, expected the 18": func(s *env.Spec) {
			s.Observation = env.NewBox(
				0, 1, 18)
		},
		`mine/Env-v0 advises ppo: json: unknown field "gama"`: func(s *env.Spec) { s.Advice["ppo"] = map[string]any{"gama": 1} },
	} {
		s := foreign()
		change(s)
		e, _ := agents.All().Find("ppo")
		if _, err := e.Configure(s, 1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}
