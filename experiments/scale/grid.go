package scale

import "tarry/experiments/sweep"

func specs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "scale", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace": "synth:philly,load=0.9,jobs={jobs_n}", "cluster": "8x4x8", "speed": "tiers",
			"costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "jobs_n", Values: sweep.At(scale, []string{"100", "300"},
				[]string{"100", "300", "1000", "3000", "10000", "30000"},
				[]string{"100", "300", "1000", "3000", "10000", "30000", "100000", "300000", "1000000"})},
			{Name: "policy", Values: []string{"dally", "dally-nowait", "las", "fifo-fit"}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 4, 10)),
	}}
}
