package load

import (
	"slices"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "load", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":   "synth:poisson,load={load},jobs=" + sweep.At(scale, "60", "400", "3000"),
			"cluster": "ethernet:4x4x8", "speed": "collective", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "load", Values: sweep.At(scale, []string{"0.5", "0.9"}, []string{"0.3", "0.5", "0.7", "0.9", "1.1"}, []string{"0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1"})},
			{Name: "policy", Values: slices.Concat([]string{"dally", "dally-nowait", "tiresias", "gandiva"}, rivals.Placed("las", "srtf", "easy", "fifo-fit"))},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 4, 20)),
	}}
}
