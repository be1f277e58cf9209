package congestion

import (
	"slices"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "congestion", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":   "synth:poisson,load=0.7,jobs=" + sweep.At(scale, "60", "500", "2000"),
			"cluster": "4x4x8", "speed": "contended:rack={taken},network={taken}", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "taken", Values: sweep.At(scale, []string{"0", "0.9"}, []string{"0", "0.5", "0.8", "0.9"}, []string{"0", "0.3", "0.5", "0.7", "0.8", "0.9", "0.95"})},
			{Name: "policy", Values: slices.Concat([]string{"dally", "dally-nowait", "dally-consolidated", "consolidate", "tiresias"}, rivals.Placed("las", "srtf", "fifo-fit"))},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 10, 20)),
	}}
}
