package shockwave

import (
	"slices"

	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `policy          shockwave; max-min and gandiva-fair are the fair schedulers of its simulator
round_s         length of a round, s
future_rounds   rounds of a window
reopt_rounds    a new window at the latest after so many rounds
k               weight of the largest remaining time in the objective, 1/s
lambda          power of the weights where the targets cannot be met
rhomax          the part of its target that a job's finish time may be
momentum        part of the time-weighted mean in a target, the rest is the latest estimate
log_bases       progresses between which the logarithm is straight, from 0 to 1
log_floor       what stands for a progress of 0 in it
solver_rel_gap  part of the bound by which a window may fall short
parts           epochs that a job counts as having where the speed model has none`

// config has the settings.
type config struct {
	policy     string
	round      sim.Time
	roundS     float64
	future     int
	reopt      int
	k, lambda  float64
	rhomax     float64
	momentum   float64
	bases      []float64
	floor, gap float64
	parts      int64
}

func settings(s *param.Set) config {
	c := config{policy: s.Enum("policy", "shockwave", "max-min", "gandiva-fair")}
	c.roundS = s.Float("round_s", 120, 1e-3, 1e9)
	c.round = sim.Seconds(c.roundS)
	c.future = s.Int("future_rounds", 20, 1, 1000)
	c.reopt = s.Int("reopt_rounds", 8, 1, 1000)
	c.k = s.Float("k", 1e-3, 0, 1e12)
	c.lambda = s.Float("lambda", 12, 0, 1000)
	c.rhomax = s.Float("rhomax", 1, 1e-3, 1e6)
	c.momentum = s.Float("momentum", 0.9, 0, 1)
	c.bases = s.Floats("log_bases", []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, 0, 1)
	if n := len(c.bases); n < 2 || c.bases[0] != 0 || c.bases[n-1] != 1 || !slices.IsSorted(c.bases) ||
		len(slices.Compact(slices.Clone(c.bases))) != n {
		s.FaultAt("log_bases", "log_bases is %v, expected ascending numbers from 0 to 1", c.bases)
		c.bases = []float64{0, 1}
	}
	c.floor = s.Float("log_floor", 1e-6, 1e-300, 1)
	if c.floor >= c.bases[1] {
		s.FaultAt("log_floor", "log_floor is %v, expected less than %v, the first of log_bases above 0", c.floor,
			c.bases[1])
	}
	c.gap = s.Float("solver_rel_gap", 1e-3, 0, 1)
	c.parts = int64(s.Int("parts", 100, 1, 1<<30))
	return c
}
