package dqn_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
	"tarry/agents/learn"
)

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for: TARRY_VALIDATE=1 go test ./agents/dqn -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	agenttest.Validate(t, []agenttest.Goal{
		{ID: "classic/CartPole-v1", Seeds: 5, FrozenMean: 475, FrozenEach: 400},
	}, func(t *testing.T, id string, seed uint64, each func(learn.Row) error) agenttest.Actor {
		cfg := dqn.Default()
		agenttest.Advise(t, id, "dqn", &cfg)
		cfg.Seed = seed
		l, err := dqn.New(cfg, 1, agenttest.Classic(id))
		return agenttest.Trained(t, l, err, each)
	})
}
