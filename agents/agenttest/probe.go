package agenttest

import (
	"math"
	"testing"

	"tarry/agents/learn"
	"tarry/env"
	"tarry/env/probe"
)

// Train makes all updates of a learner that was just made, with the error of making it, and gives
// the row of each.
func Train(t testing.TB, l learn.Updater, err error) []learn.Row {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var rows []learn.Row
	if err := learn.Train(l, func(r learn.Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return rows
}

// Answers is a policy after training on a probe.
type Answers struct {
	Policy Actor
	// Value returns the policy's estimate of an observation's value under the discount Gamma; nil =
	// it has none.
	Value func(obs []float64, mask []bool) float64
	Gamma float64
	// Tie reports observations on which all actions lead to the same; nil = there are none.
	Tie func(obs []float64) bool
}

// Check compares values and actions on the observations of 60 episodes with the known ones: values
// to 5 %, actions to 0.1.
func (a Answers) Check(t *testing.T, p *probe.Entry) {
	t.Helper()
	e := p.New()
	action := make([]float64, e.Spec().Action.Len())
	for i := range 60 {
		seed := uint64(i)
		obs, info, err := e.Reset(&seed, "")
		for done := false; !done; {
			if err == nil {
				err = a.Policy.Act(action, obs, info.Mask, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			a.compare(t, p, obs, info.Mask, action)
			var s env.Step
			s, err = e.Step(action)
			obs, info, done = s.Obs, s.Info, err != nil || s.Done()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (a Answers) compare(t *testing.T, p *probe.Entry, obs []float64, mask []bool, action []float64) {
	t.Helper()
	if a.Value != nil {
		want := p.Value(a.Gamma, obs)
		if got := a.Value(obs, mask); !(math.Abs(got-want) <= 0.05*max(1, math.Abs(want))) {
			t.Fatalf("%s (%s): value of %v is %.3f, want %.3f", p.ID, p.Isolates, obs, got, want)
		}
	}
	if a.Tie != nil && a.Tie(obs) {
		return
	}
	for k, best := range p.Best(obs) {
		if !(math.Abs(action[k]-best) <= 0.1) {
			t.Fatalf("%s (%s): action on %v is %v, want %v", p.ID, p.Isolates, obs, action, p.Best(obs))
		}
	}
}
