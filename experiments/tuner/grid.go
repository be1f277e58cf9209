package tuner

import "tarry/experiments/sweep"

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "tuner", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":   "synth:poisson,load={load},jobs=" + sweep.At(scale, "80", "600", "3000"),
			"cluster": "ethernet:4x4x8", "speed": "collective", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "load", Values: sweep.At(scale, []string{"0.7", "0.9"}, []string{"0.7", "0.9", "1.1"},
				[]string{"0.5", "0.7", "0.8", "0.9", "1", "1.1"})},
			{Name: "variant", Cases: []sweep.Case{
				{Name: "manual", Set: sweep.Settings{"policy": "dally-manual"}},
				{Name: "nowait", Set: sweep.Settings{"policy": "dally-nowait"}},
				{Name: "endless", Set: sweep.Settings{"policy": "dally-consolidated"}},
				{Name: "tuned", Set: sweep.Settings{"policy": "dally"}},
				{Name: "tuned-48", Set: sweep.Settings{"policy": "dally:history=48"}},
				{Name: "tuned-free", Set: sweep.Settings{"policy": "dally:history=48,min_rack=0,min_net=0"}},
			}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 12, 20)),
	}}
}
