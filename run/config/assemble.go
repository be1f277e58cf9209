package config

import (
	"tarry/output/results"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
)

// Trials gives the trials of a setup: for each policy in order, its replicates.
func (s *Setup) Trials() []trial.Trial {
	var out []trial.Trial
	c, costs := &s.Config, s.Costs()
	var private func(gpus int) (*cluster.Topology, *power.Model, func() (sim.SpeedModel, error), error)
	if c.Tenants == "vc" && s.Owned() && c.Variability == "" {
		private = s.PartOf
	}
	for p, name := range c.Policies {
		for r := range s.Runs {
			run := &s.Runs[r]
			out = append(out, trial.Trial{
				Keys: results.Keys{Policy: name, Trace: c.Trace, Cluster: s.Cluster.Name, Speed: c.Speed,
					Placement: c.Placement, Seed: c.Seed, Replicate: int64(r)},
				Config: s.JSON(p, r), Workload: run.Workload, Stream: run.Stream, WorkloadSHA256: run.SHA256,
				Topology: s.Topology,
				Policy:   func() (sim.Policy, error) { return s.Policy(p) }, Speed: s.Speed,
				Costs: costs, ModelBytes: s.ModelBytes, Estimate: run.Estimate, Predictor: s.predictor(run, p),
				PredictorName: s.predictorName(p), History: run.History, Outages: run.Outages,
				Until: sim.Seconds(c.UntilS), MarkEvery: s.MarkEvery(), Power: s.Power(), Services: s.Services(),
				Operator: s.Operator(), Tenants: c.Tenants,
				Owners: run.Tenants, Private: private,
			})
		}
	}
	return out
}
