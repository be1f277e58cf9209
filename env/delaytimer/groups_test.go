package delaytimer

import (
	"math"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/schedtest"
)

func TestHide(t *testing.T) {
	schedtest.Hides(t, schedtest.Over(simulation.All(), Make),
		"cluster=2x2x4,windows=4,warm=6,horizon=24",
		new(Config).groups(), func(k int, _ []bool, action []float64) {
			for i := range action {
				action[i] = math.Sin(float64(k * (i + 3)))
			}
		})
	schedtest.Hides(t, schedtest.Over(simulation.All(), MakeDiscrete),
		"cluster=2x2x4,windows=4,warm=6,horizon=24",
		new(Config).groups(), func(k int, _ []bool, action []float64) {
			action[0] = float64(k * 5 % len(Pairs()))
		})
	schedtest.Hides(t, schedtest.Over(simulation.All(), MakeV1),
		"cluster=2x2x4,windows=4,warm=6,horizon=24,regime=true",
		(&Config{SeeRegime: true}).groups(), func(k int, _ []bool, action []float64) {
			for i := range action {
				action[i] = math.Sin(float64(k * (i + 3)))
			}
		})
}

// A group that is named in a program must have the same names.
func TestHideUnknown(t *testing.T) {
	c := config(t, small)
	c.Hide = []string{"quue"}
	for _, err := range []error{second(New(c, "")), second(AsPolicy(c, wild))} {
		want := `tarry/DelayTimer-v0: hide names the group "quue", expected some of cluster, places, queue, demand, spread, network, flow, timers, joined by +; did you mean "queue"?`
		if err == nil || err.Error() != want {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
