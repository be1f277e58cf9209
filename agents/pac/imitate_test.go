package pac_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/pac"
)

func TestImitates(t *testing.T) {
	cfg := quick()
	cfg.Batch, cfg.Steps = 64, 400
	agenttest.Imitates(t, func() (*pac.Learner, error) { return pac.New(cfg, 1, agenttest.Classic(cartPole)) })
}
