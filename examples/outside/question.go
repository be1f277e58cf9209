package main

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// patienceQuestion shows a question: what is asked, which cells answer it at which scale, and the
// figures that are drawn from their rows. The policy and the speed model are this program's own.
func patienceQuestion() sweep.Question {
	return sweep.Question{
		Name:  "patience",
		Title: "how long should small jobs pass large ones?",
		Ask:   "By how much does the penalty per GPU of policy aged change the mean completion time and its tail?",
		Predict: "The mean falls with the penalty, because small jobs are many; the 99th percentile rises, because " +
			"large jobs wait.",
		Read: "jct_mean and jct_p99 against the load, a line per penalty, 95 % intervals over seeds; " +
			"jct_relative is against penalty 0.",
		Specs: patienceSpecs, Figures: patienceFigures,
	}
}

func patienceSpecs(scale string) []sweep.Spec {
	return []sweep.Spec{{
		Name: "patience", Question: patienceQuestion().Ask, Kind: "simulate",
		Base: sweep.Settings{"trace": "synth:poisson,load={load},jobs=" + sweep.At(scale, "40", "400", "3000"),
			"cluster": "2x4x8", "speed": "amdahl:serial=0.02"},
		Axes: []sweep.Axis{
			{Name: "load", Values: sweep.At(scale, []string{"0.7", "0.9"}, []string{"0.5", "0.7", "0.9"},
				[]string{"0.5", "0.6", "0.7", "0.8", "0.9", "1"})},
			{Name: "penalty", Cases: []sweep.Case{
				{Name: "none", Set: sweep.Settings{"policy": "aged:penalty_s=0"}},
				{Name: "600", Set: sweep.Settings{"policy": "aged:penalty_s=600"}},
				{Name: "3600", Set: sweep.Settings{"policy": "aged:penalty_s=3600"}},
			}},
		},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 2, 4, 20)),
	}}
}

func patienceFigures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	b.Means("jct_mean", "Mean completion time against the load.", "load", "penalty", "jct_mean_s", "load")
	b.Means("jct_p99", "99th percentile of the completion time against the load.", "load", "penalty", "jct_p99_s",
		"load")
	b.Relative("jct_relative", "Mean completion time against the order of arrival.", "load", "penalty", "jct_mean_s",
		"none", "load")
	return b.Figures()
}
