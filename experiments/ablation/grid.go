package ablation

import "tarry/experiments/sweep"

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "ablation", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace":   "synth:poisson,load={load},jobs=" + sweep.At(scale, "80", "800", "3000"),
			"cluster": "ethernet:4x4x8", "speed": "collective", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "load", Values: sweep.At(scale, []string{"0.9"}, []string{"0.7", "0.9"},
				[]string{"0.5", "0.7", "0.9", "1.1"})},
			{Name: "part", Cases: []sweep.Case{
				{Name: "whole", Set: sweep.Settings{"policy": "dally"}},
				{Name: "no-timers", Set: sweep.Settings{"policy": "dally:delay=false"}},
				{Name: "no-leases", Set: sweep.Settings{"policy": "dally:preempt=false"}},
				{Name: "fifo-order", Set: sweep.Settings{"policy": "dally:order=fifo"}},
				{Name: "las-order", Set: sweep.Settings{"policy": "dally:order=las"}},
				{Name: "no-tuner", Set: sweep.Settings{"policy": "dally:timers=manual"}},
				{Name: "timers-unseen", Set: sweep.Settings{"policy": "dally:wake=events"}},
				{Name: "give-back", Set: sweep.Settings{"policy": "dally:renew=return"}},
			}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 12, 20)),
	}}
}
