package timers

import "tarry/experiments/sweep"

func specs(scale string) []sweep.Spec {
	waits := sweep.At(scale, []string{"0", "1", "6"}, []string{"0", "0.25", "1", "4", "12"},
		[]string{"0", "0.125", "0.25", "0.5", "1", "2", "4", "8", "16", "32"})
	return []sweep.Spec{{
		Name: "timers", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":  "synth:poisson,load=0.9,jobs=" + sweep.At(scale, "60", "300", "2000"),
			"policy": "dally-manual:t_rack={t_rack},t_net={t_net}", "speed": "collective",
			"costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "cluster", Values: []string{"ethernet:4x4x8", "nvlink-64"}},
			{Name: "t_rack", Values: waits},
			{Name: "t_net", Values: waits},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 10, 20)),
	}}
}
