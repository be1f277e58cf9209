// Package muxflowref compares the choice of offline jobs for GPUs of services with exact answers: the
// weights, and the sums of the best matching and of the greedy one.
package muxflowref

import (
	"tarry/baselines/muxflow/pairs"
	"tarry/fidelity/reference"
)

// within is by how much weights and sums may differ.
const within = 1e-9

// memory is what a GPU has there, in MiB.
const memory = 16384

// instance is GPUs of services and jobs.
type instance struct {
	Online []struct {
		Activity float64 `json:"sm_activity"`
		Used     int64   `json:"gpu_mem_used_mib"`
		Healthy  bool
	}
	Offline []struct {
		Need        float64 `json:"sm_need"`
		Sensitivity float64
		MiB         int64 `json:"mem_mib"`
	}
	Weights [][]float64
	Optimum float64
	Greedy  float64
}

// Reader compares folders of instances: sums are compared, not pairs.
func Reader() reference.Reader {
	return reference.Cases("muxflow", []reference.CaseKind{{Name: "matchings",
		Fields: "online offline weights optimum greedy", Compare: compare}})
}

func compare(c *reference.Case) {
	x, ok := reference.Decode[instance](c)
	if !ok {
		return
	}
	m := pairs.Table{Rows: len(x.Offline), Cols: len(x.Online)}
	if len(x.Weights) != m.Rows {
		c.Errorf("weights of %d jobs, expected %d", len(x.Weights), m.Rows)
		return
	}
	for i, f := range x.Offline {
		if len(x.Weights[i]) != m.Cols {
			c.Errorf("job %d has %d weights, expected %d", i, len(x.Weights[i]), m.Cols)
			return
		}
		job := pairs.Offline{Need: f.Need, Sensitivity: f.Sensitivity, MiB: f.MiB}
		for k, o := range x.Online {
			on := pairs.Online{Activity: o.Activity, UsedMiB: o.Used, HasMiB: memory, Unhealthy: !o.Healthy}
			c.Near("a weight", pairs.Weight(&job, &on, pairs.Share(o.Activity)), x.Weights[i][k], within)
			m.At = append(m.At, x.Weights[i][k])
		}
	}
	best, err := pairs.Best(m)
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	c.Near("the best sum", pairs.Sum(m, best), x.Optimum, within)
	c.Near("the greedy sum", pairs.Sum(m, pairs.Greedy(m)), x.Greedy, within)
}
