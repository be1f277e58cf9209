package ppo_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/ppo"
)

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for: TARRY_VALIDATE=1 go test ./agents/ppo -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	agenttest.Validate(t, []agenttest.Goal{
		{ID: "classic/CartPole-v1", Seeds: 5, Mean: 475, Each: 450},
		{ID: "classic/Acrobot-v1", Seeds: 5, Mean: -100, Each: -110},
		{ID: "classic/MountainCar-v0", Seeds: 5, Mean: -130, Each: -150},
		{ID: "classic/Pendulum-v1", Seeds: 5, Mean: -250, Each: -400},
	}, func(t *testing.T, id string, seed uint64, each func(learn.Row) error) agenttest.Actor {
		cfg := ppo.Default()
		agenttest.Advise(t, id, "ppo", &cfg)
		cfg.Seed = seed
		l, err := ppo.New(cfg, 1, agenttest.Classic(id))
		return agenttest.Trained(t, l, err, each)
	})
}
