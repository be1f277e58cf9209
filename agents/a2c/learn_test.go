package a2c_test

import (
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
)

// TestCartPole is the start of the published benchmark: a policy that acts at random gets
// about 22. TestValidate goes all the way.
func TestCartPole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	cfg := a2c.Default()
	cfg.TotalSteps = 40_000
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	if last := rows[len(rows)-1]; !(last.Return > 60) || last.Steps != 40_000 || last.Update != 40 {
		t.Errorf("last row is %+v, expected a return above 60 after 40000 steps", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("the learnt policy earns %.1f, expected more than 100", got)
	}
}
