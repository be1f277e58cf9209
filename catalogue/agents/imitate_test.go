package agents_test

import (
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/agents"
	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
)

// An entry states of its learners what they are.
func TestImitators(t *testing.T) {
	for _, e := range agents.All() {
		id := "classic/CartPole-v1"
		if e.Name == "sac" {
			id = "classic/Pendulum-v1"
		}
		c, err := e.Configure(specOf(t, id), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, err := c.New(1, func(int) (env.Env, error) { return envs.All().Make(simulation.All(), id) })
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := l.(registry.Imitator); ok != e.Imitates {
			t.Errorf("learners of %s are Imitators: %v, its entry says %v", e.Name, ok, e.Imitates)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
