package iadeep

import (
	"math"

	"tarry/baselines/iadeep/lcb"
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `tune        batches of tasks that share a GPU are tuned
trial       length of a measurement, s
batch       batch in samples of jobs that do not state theirs; 0 = these are not tuned
iterations  most points after the first five
still       points that change the degradation by at most 0.01, after which a search ends
bound       next is the point whose bound is nearest to 0 (published) or least (lower)
enough      measurements after which other sets are predicted
most        jobs on a GPU
unknown     a job of unknown memory gets GPUs of its own (alone) or counts as none (share)`

type config struct {
	tune   bool
	trial  sim.Time
	batch  int32
	search lcb.Config
	enough int
	most   int
	alone  bool
}

func settings(s *param.Set) config {
	return config{
		tune:  s.Bool("tune", true),
		trial: sim.Seconds(s.Float("trial", 5, 1e-3, 1e6)),
		batch: int32(s.Int("batch", 64, 0, 1e6)),
		search: lcb.Config{Iterations: s.Int("iterations", 50, 0, 1000), Still: s.Int("still", 10, 1, 1000),
			Change: 0.01, Lower: s.Enum("bound", "published", "lower") == "lower"},
		enough: s.Int("enough", 21, 0, math.MaxInt32),
		most:   s.Int("most", 4, 1, 100),
		alone:  s.Enum("unknown", "alone", "share") == "alone",
	}
}
