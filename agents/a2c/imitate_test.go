package a2c_test

import (
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/agents/learn"
)

// lean pushes the cart to where the pole leans.
func lean(_ int, obs []float64, _ []bool, dst []float64) error {
	dst[0] = 0
	if obs[2]+obs[3] > 0 {
		dst[0] = 1
	}
	return nil
}

// A warm start alone acts as the demonstrator does, and takes no step of the budget.
func TestImitates(t *testing.T) {
	l, err := a2c.New(a2c.Default(), 1, agenttest.Classic(cartPole))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var last learn.Row
	if err := l.Imitate(learn.Imitation{Updates: 3, Epochs: 10, LearningRate: 5e-3}, lean, func(r learn.Row) error {
		last = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !last.Imitation || last.Update != 3 || last.Steps == 0 || !(last.PolicyLoss < 0.4) || l.Done() {
		t.Errorf("last row is %+v", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("it earns %.1f, expected more than 100", got)
	}
	if err := l.Imitate(learn.Imitation{}, lean, nil); err == nil {
		t.Error("an imitation without a length is accepted")
	}
}
