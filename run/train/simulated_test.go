package train

import (
	"context"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/classic"
	"tarry/env/trait"
)

// priced is an environment with one parameter, whose windows of validation cost the parameter times
// the window's number; window 2 has no decision.
type priced struct{ env.Env }

func (e priced) Part() trait.Part                           { return trait.Validation }
func (e priced) Windows(trait.Part) int                     { return 6 }
func (e priced) WindowHash(trait.Part, int) (string, error) { return "", nil }
func (e priced) Parameters() []trait.Parameter {
	return []trait.Parameter{{Name: "a", Sigma: 1, Lo: -9, Hi: 9}}
}
func (e priced) Answer(_, _, _ []float64) error { return nil }

func (e priced) Play(_ context.Context, x []float64, p trait.Part, i int) (trait.Outcome, error) {
	if i == 2 {
		return trait.Outcome{}, trait.ErrNoQuestion
	}
	if p != trait.Validation {
		return trait.Outcome{}, context.Canceled
	}
	return trait.Outcome{Cost: x[0] * float64(1+i)}, nil
}

// A vector is validated by minus its mean cost over the windows with decisions, over
// any number of goroutines.
func TestSimulatedValidation(t *testing.T) {
	for n := range 4 {
		v := &validator{env: priced{classic.CartPole()}, episodes: 5}
		for range n {
			v.more = append(v.more, priced{classic.CartPole()})
		}
		if got, err := v.simulated([]float64{2}); err != nil || got != -2*(1.+2+4+5)/4 {
			t.Errorf("beside %d others: %v, %v, expected -6", n, got, err)
		}
		if _, err := v.simulated([]float64{-1}); err == nil || !strings.Contains(err.Error(), "validation window 0: "+
			"a window cost -1, expected a finite number > 0") {
			t.Errorf("a negative cost gives %v", err)
		}
		if err := v.close(); err != nil {
			t.Error(err)
		}
	}
	v := &validator{env: classic.CartPole(), episodes: 1}
	if _, err := v.simulated([]float64{1}); err == nil || !strings.Contains(err.Error(), "has no parameters") {
		t.Errorf("an environment without parameters gives %v", err)
	}
}
