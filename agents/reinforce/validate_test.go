package reinforce_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/reinforce"
)

const cartPole = "classic/CartPole-v1"

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for: TARRY_VALIDATE=1 go test ./agents/reinforce -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	agenttest.Validate(t, []agenttest.Goal{
		{ID: cartPole, Seeds: 5, Mean: 450, Each: 400, FrozenEach: 475},
	}, func(t *testing.T, id string, seed uint64, each func(learn.Row) error) agenttest.Actor {
		cfg := reinforce.Default()
		agenttest.Advise(t, id, "reinforce", &cfg)
		cfg.Seed = seed
		l, err := reinforce.New(cfg, 1, agenttest.Classic(id))
		return agenttest.Trained(t, l, err, each)
	})
}
