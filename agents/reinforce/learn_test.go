package reinforce_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/reinforce"
)

// TestCartPole learns for a while: a policy that acts at random gets about 22.
func TestCartPole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	cfg := reinforce.Default()
	agenttest.Advise(t, cartPole, "reinforce", &cfg)
	cfg.TotalSteps = 30_000
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	last := rows[len(rows)-1]
	if before := rows[len(rows)-2]; !(last.Return > 60) || last.Steps < 30_000 || before.Steps >= 30_000 ||
		last.Update != len(rows) || last.Episodes != 16*len(rows) {
		t.Errorf("the last rows are %+v and %+v, expected a return above 60 and the last one to reach 30000 steps",
			before, last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("the learnt policy earns %.1f, expected more than 100", got)
	}
}
