package shockwavesim

import (
	"testing"

	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 20}
	simtest.Conform(t, "shockwave-sim", New, o.Settings("", "policy=max-min,round_s=11,reset_s=5,spare=0.5"))
}

// The rules by which the simulator's jobs change their batch size.
func TestCritical(t *testing.T) {
	for _, c := range []struct {
		model   string
		initial int32
		epoch   int64
		want    bool
	}{
		{"LM", 5, 9, true}, {"LM", 5, 10, false}, {"Recommendation", 512, 29, true},
		{"Recommendation", 2048, 30, true}, {"Recommendation", 4096, 10, false},
		{"ResNet-50", 16, 35, true}, {"ResNet-50", 16, 40, false}, {"ResNet-18", 64, 155, true},
		{"ResNet-18", 64, 15, false}, {"ResNet-18", 256, 15, true}, {"X", 1, 0, false},
	} {
		if got := critical(c.model, c.initial, c.epoch); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
