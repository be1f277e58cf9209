package trial

import (
	"slices"

	"tarry/internal/run/config"
	"tarry/output/results"
	"tarry/sim"
)

// Assemble gives the trials of a setup: for each policy in order, its replicates.
func Assemble(s *config.Setup) []Trial {
	var out []Trial
	c := &s.Config
	for p, name := range c.Policies {
		for r := range s.Runs {
			run := &s.Runs[r]
			out = append(out, Trial{
				Keys: results.Keys{Policy: name, Trace: c.Trace, Cluster: s.Cluster.Name, Speed: c.Speed,
					Placement: c.Placement, Seed: c.Seed, Replicate: int64(r)},
				Config: s.JSON(p, r), Workload: run.Workload, WorkloadSHA256: run.SHA256, Topology: s.Topology,
				Policy: func() (sim.Policy, error) { return s.Policy(p) }, Speed: s.Speed,
				Costs: c.Costs, ModelBytes: s.ModelBytes, Estimate: run.Estimate, Predictor: run.Predictor, History: run.History,
				Outages: run.Outages, Until: sim.Seconds(c.UntilS),
			})
		}
	}
	return out
}

// History is what policies that know the distribution of work receive of a window that stands for itself: its own, sorted.
func History(w *sim.Workload) []sim.Time {
	var out []sim.Time
	for i := range w.Jobs {
		out = append(out, w.Jobs[i].Work)
	}
	slices.Sort(out)
	return out
}
