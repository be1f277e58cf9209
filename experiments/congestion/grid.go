package congestion

import (
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// families are the orders that are shown in the plain form and in the one that validation chose.
func families() [][]string { return rivals.Placed("las", "srtf", "fifo-fit") }

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "congestion", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":   "synth:poisson,load=0.7,jobs=" + sweep.At(scale, "60", "500", "2000"),
			"cluster": "4x4x8", "speed": "contended:rack={taken},network={taken}",
			"costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "taken", Values: sweep.At(scale, []string{"0", "0.9"}, []string{"0", "0.5", "0.8", "0.9"},
				[]string{"0", "0.3", "0.5", "0.7", "0.8", "0.9", "0.95"})},
			{Name: "policy", Values: append([]string{"dally", "dally-nowait", "dally-consolidated", "consolidate",
				"tiresias"}, rivals.Names(families())...)},
		},
		Seeds: rivals.Seeds(sweep.At(scale, 2, 10, 20), sweep.At(scale, 1, 4, 10)),
	}}
}
