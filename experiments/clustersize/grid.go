package clustersize

import "tarry/experiments/sweep"

func specs(scale string) []sweep.Spec {
	size := func(gpus, cluster string) sweep.Case {
		return sweep.Case{Name: gpus, Set: sweep.Settings{"cluster": cluster}}
	}
	sizes := []sweep.Case{size("64", "ethernet:2x4x8"), size("128", "ethernet:4x4x8"), size("256", "ethernet:8x4x8"),
		size("512", "ethernet:16x4x8"), size("1024", "ethernet:32x4x8"), size("4096", "ethernet:128x4x8")}
	return []sweep.Spec{{
		Name: "clustersize", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace": "synth:poisson,load=0.9,jobs=" + sweep.At(scale, "60", "500", "4000"), "speed": "collective",
			"costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "gpus", Cases: sizes[:sweep.At(scale, 2, 5, 6)]},
			{Name: "policy", Values: []string{"dally", "dally-nowait", "dally-consolidated", "consolidate", "tiresias",
				"srtf"}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 10, 20)),
	}}
}
