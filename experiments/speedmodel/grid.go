package speedmodel

import "tarry/experiments/sweep"

func specs(scale string) []sweep.Spec {
	model := func(name, speed string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"speed": speed}}
	}
	return []sweep.Spec{{
		Name: "speedmodel", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace": "synth:poisson,load=0.8,jobs=" + sweep.At(scale, "60", "400", "3000"), "models": "paper",
			"cluster": "ethernet:4x4x8", "speed": "collective", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "model", Cases: []sweep.Case{
				model("counting", "counting"), model("tiers", "tiers"), model("collective", "collective"),
				model("contended", "contended"), model("busy", "contended:rack=0.5,network=0.8"),
			}},
			{Name: "policy", Values: []string{"dally", "dally-nowait", "dally-consolidated", "consolidate", "fifo-fit",
				"las"}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 10, 20)),
	}}
}
