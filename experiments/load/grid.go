package load

import (
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// families are the orders that are shown in the plain form and in the one that validation chose.
func families() [][]string { return rivals.Placed("las", "srtf", "easy", "fifo-fit") }

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "load", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":   "synth:poisson,load={load},jobs=" + sweep.At(scale, "60", "400", "3000"),
			"cluster": "ethernet:4x4x8", "speed": "collective", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "load", Values: sweep.At(scale, []string{"0.5", "0.9"}, []string{"0.3", "0.5", "0.7", "0.9", "1.1"},
				[]string{"0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1"})},
			{Name: "policy", Values: append([]string{"dally", "dally-nowait", "tiresias", "gandiva"},
				rivals.Names(families())...)},
		},
		Seeds: rivals.Seeds(sweep.At(scale, 2, 4, 20), sweep.At(scale, 1, 3, 10)),
	}}
}
