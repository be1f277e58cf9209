package paper

import (
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// policies are Dally and its variants, and what the paper compares with.
func policies() []string {
	return append([]string{"consolidate", "dally", "dally-nowait", "dally-consolidated", "gandiva"},
		rivals.Names(families())...)
}

// families are shown in the plain form and in the one that validation chose.
func families() [][]string {
	return append([][]string{{"tiresias", "tiresias:place=skew"}}, rivals.Placed("fifo-fit", "las")...)
}

// The lists are drawn with the demands and run times of the generator's law; the recorded ones are
// read with --set trace=artistsim:FILE in a sweep of one's own (examples/paper-lists.yaml).
func specs(scale string) []sweep.Spec {
	jobs := sweep.At(scale, "60", "300", "500")
	return []sweep.Spec{{
		Name: "paper", Question: Question().Ask, Kind: "simulate",
		Base: sweep.Settings{
			"trace": "synth:batch,jobs=" + jobs, "cluster": sweep.At(scale, "ethernet:2x4x8", "ethernet:4x4x8",
				"ethernet:8x8x8"), "speed": "contended:rack=0.3,network=0.5", "costs": "checkpoint_s=5,restore_s=10",
		},
		Axes: []sweep.Axis{
			{Name: "list", Cases: []sweep.Case{
				{Name: "batch", Set: sweep.Settings{"trace": "synth:batch,jobs=" + jobs}},
				{Name: "poisson", Set: sweep.Settings{"trace": "synth:poisson,load=0.9,jobs=" + jobs}},
			}},
			{Name: "policy", Values: policies()},
		},
		Seeds: rivals.Seeds(sweep.At(scale, 2, 10, 20), sweep.At(scale, 1, 4, 10)),
	}}
}
