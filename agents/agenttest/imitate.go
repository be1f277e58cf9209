package agenttest

import (
	"errors"
	"strings"
	"testing"

	"tarry/agents/learn"
	"tarry/env"
)

const cartPole = "classic/CartPole-v1"

// Lean demonstrates CartPole: it pushes the cart to where the pole leans.
func Lean(_ int, obs []float64, _ []bool, dst []float64) error {
	dst[0] = 0
	if obs[2]+obs[3] > 0 {
		dst[0] = 1
	}
	return nil
}

// imitator is a learner with a warm start.
type imitator interface {
	Trainer
	Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error
	Close() error
}

// Started is a short warm start on CartPole, for Run.Begin.
func Started[L imitator](l L, _ *env.Spec) error {
	return l.Imitate(learn.Imitation{Updates: 2, Epochs: 2, LearningRate: 1e-3}, Lean,
		func(learn.Row) error { return nil })
}

// Imitates checks behaviour cloning by a learner of CartPole, which fresh makes: the warm start alone
// makes the policy act as Lean does and takes no update of the budget; its rows are numbered and marked;
// it can be ended from outside, and is refused without a length or after an update. A demonstrator's
// illegal action is named and ends the run.
func Imitates[L interface {
	imitator
	Policy() P
}, P Actor](t *testing.T, fresh func() (L, error)) {
	l := made(t, fresh)
	how := learn.Imitation{Updates: 3, Epochs: 10, LearningRate: 5e-3}
	random := Return(t, l.Policy(), cartPole, 20)
	var rows []learn.Row
	if err := l.Imitate(how, Lean, func(r learn.Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if !r.Imitation || r.Update != i+1 || r.Steps == 0 || r.Steps != (i+1)*rows[0].Steps && r.Episodes == 0 {
			t.Errorf("row %d is %+v", i, r)
		}
	}
	if first, last := rows[0], rows[len(rows)-1]; len(rows) != 3 || l.Done() ||
		!(last.PolicyLoss < 0.4 && last.PolicyLoss < first.PolicyLoss) {
		t.Errorf("%d rows, from %+v to %+v, expected 3 and a loss below 0.4", len(rows), first, last)
	}
	if got := Return(t, l.Policy(), cartPole, 20); !(got > 100 && got > random) {
		t.Errorf("it earns %.1f, before %.1f, expected more than 100", got, random)
	}
	stop := errors.New("enough seen")
	if err := l.Imitate(how, Lean, func(learn.Row) error { return stop }); err != stop {
		t.Errorf("a warm start that is ended from outside gives %v", err)
	}
	if err := l.Imitate(learn.Imitation{}, Lean, nil); err == nil || !strings.Contains(err.Error(), "0 episodes") {
		t.Errorf("a warm start without a length gives %v", err)
	}
	if row, err := l.Update(); err != nil || row.Imitation || row.Update != 1 {
		t.Errorf("the first update is %+v, error %v", row, err)
	}
	if err := l.Imitate(how, Lean, nil); err == nil || !strings.Contains(err.Error(), "after 1 updates") {
		t.Errorf("a warm start after an update gives %v", err)
	}
	for _, action := range []float64{-1, 2, 0.5} {
		misled(t, made(t, fresh), action)
	}
}

// misled has a demonstrator take an illegal action.
func misled(t *testing.T, l imitator, action float64) {
	t.Helper()
	err := l.Imitate(learn.Imitation{Updates: 1, Epochs: 1, LearningRate: 1e-3},
		func(_ int, _ []float64, _ []bool, dst []float64) error { dst[0] = action; return nil },
		func(learn.Row) error { return nil })
	if !errors.Is(err, env.ErrInvalidAction) || !strings.Contains(err.Error(), "imitation 1: environment 0: ") {
		t.Errorf("action %g: error is %v", action, err)
	}
	if _, err := l.Update(); err == nil || !strings.Contains(err.Error(), "a former update failed") {
		t.Errorf("action %g: the update that follows gives %v", action, err)
	}
}

// made is a learner that the test closes.
func made[L imitator](t *testing.T, fresh func() (L, error)) L {
	t.Helper()
	l, err := fresh()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}
