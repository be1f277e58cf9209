package preempt

import (
	"slices"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/schedtest"
)

func TestHide(t *testing.T) {
	schedtest.Hides(t, schedtest.Over(simulation.All(), Make),
		"cluster=2x2x4,windows=4,warm=8,horizon=60,load=1.1,checkpoint_s=5",
		groups(), func(k int, mask []bool, action []float64) {
			legal := 0
			for _, ok := range mask {
				if ok {
					legal++
				}
			}
			action[0] = float64(k * 3 % legal)
		})
}

// hide=work is hide_work=true.
func TestHideWorkIsAGroup(t *testing.T) {
	seen := func(options string) []float64 {
		e, err := Make(simulation.All(), "cluster=2x2x4,warm=8,horizon=60,"+options)
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(5)
		obs, _, err := e.Reset(&seed, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := env.Explain(e.Spec().Observation, obs); err != nil {
			t.Error(err)
		}
		return slices.Clone(obs)
	}
	if !slices.Equal(seen("hide=work"), seen("hide_work=true")) || slices.Equal(seen("hide=work"), seen("hide=cost")) {
		t.Error("hide=work does not hide what hide_work=true does")
	}
}
