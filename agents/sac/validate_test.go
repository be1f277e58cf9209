package sac_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/sac"
)

const pendulum = "classic/Pendulum-v1"

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for: TARRY_VALIDATE=1 go test ./agents/sac -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	agenttest.Validate(t, []agenttest.Goal{
		{ID: pendulum, Seeds: 5, FrozenMean: -180, FrozenEach: -220},
	}, func(t *testing.T, id string, seed uint64, each func(learn.Row) error) agenttest.Actor {
		cfg := sac.Default()
		agenttest.Advise(t, id, "sac", &cfg)
		cfg.Seed = seed
		l, err := sac.New(cfg, 1, agenttest.Classic(id))
		return agenttest.Trained(t, l, err, each)
	})
}
