package offer

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/schedtest"
)

func TestHide(t *testing.T) {
	schedtest.Hides(t, schedtest.Over(simulation.All(), Make),
		"cluster=4x2x4,windows=4,warm=6,horizon=48,load=2", groups(),
		func(k int, _ []bool, action []float64) {
			action[0] = float64(k * k % 3 % 2)
		})
}
