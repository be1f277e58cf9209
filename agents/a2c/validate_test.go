package a2c_test

import (
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/agents/learn"
)

const cartPole = "classic/CartPole-v1"

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for: TARRY_VALIDATE=1 go test ./agents/a2c -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	agenttest.Validate(t, []agenttest.Goal{
		{ID: cartPole, Seeds: 5, Mean: 475, Each: 450, FrozenEach: 490},
		{ID: "classic/Acrobot-v1", Seeds: 3, Mean: -110, Each: -130, FrozenEach: -110},
	}, func(t *testing.T, id string, seed uint64, each func(learn.Row) error) agenttest.Actor {
		cfg := a2c.Default()
		agenttest.Advise(t, id, "a2c", &cfg)
		cfg.Seed = seed
		l, err := a2c.New(cfg, 1, agenttest.Classic(id))
		return agenttest.Trained(t, l, err, each)
	})
}
