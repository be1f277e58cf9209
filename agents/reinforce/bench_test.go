package reinforce_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/reinforce"
)

// BenchmarkCartPole is training from end to end with the settings that are known to work:
// environment, acting, baselines and the update. Run it with GOMAXPROCS=1 for the rate of one core;
// steps/s is what to read.
func BenchmarkCartPole(b *testing.B) {
	cfg := reinforce.Default()
	agenttest.Advise(b, cartPole, "reinforce", &cfg)
	cfg.TotalSteps = 1 << 40
	l, err := reinforce.New(cfg, 1, agenttest.Classic(cartPole))
	agenttest.Steps(b, l, err)
}
