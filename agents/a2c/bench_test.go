package a2c_test

import (
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
)

// BenchmarkCartPole is training from end to end with the published settings: environment,
// acting, advantages and the update. Run it with GOMAXPROCS=1 for the rate of
// one core; steps/s is what to read.
func BenchmarkCartPole(b *testing.B) {
	cfg := a2c.Default()
	cfg.TotalSteps = 1 << 40
	l, err := a2c.New(cfg, 1, agenttest.Classic(cartPole))
	agenttest.Steps(b, l, err)
}
