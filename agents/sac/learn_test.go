package sac_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
)

// TestPendulum is a third of the published run: a policy that acts at random gets about -1200.
// TestValidate goes all the way.
func TestPendulum(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	cfg := sac.Default()
	agenttest.Advise(t, pendulum, "sac", &cfg)
	cfg.TotalSteps, cfg.Batch, cfg.Hidden, cfg.LearningRate, cfg.Gamma = 4_000, 64, []int{32, 32}, 3e-3, 0.95
	l, rows := train(t, cfg, 1, agenttest.Classic(pendulum))
	defer l.Close()
	last := rows[len(rows)-1]
	if last.Steps != 4_000 || last.Update != 4 || !(last.ValueLoss > 0) || !(l.Alpha() < 1) || !(last.Entropy < 0.7) {
		t.Errorf("last row is %+v with temperature %g, expected 4 updates of 1000 steps and a temperature that fell",
			last, l.Alpha())
	}
	if got := agenttest.Return(t, l.Policy(), pendulum, 20); !(got > -500) {
		t.Errorf("the learnt policy earns %.1f, expected more than -500", got)
	}
}
