package horus

import (
	"math"

	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `ahead      jobs of the queue that are looked at
cost       horus: of a GPU with the utilisation after the job comes | gandiva: with that before
over       what the distance from a full GPU counts where it is exceeded
most       jobs per GPU at most
util       busy part of a GPU of jobs that do not state it
error      standard deviation of the logarithm of predicted over true memory and utilisation, of jobs that have not run yet
seed       of these draws`

type config struct {
	ahead   int
	gandiva bool
	over    float64
	most    int
	util    float64
	err     float64
	seed    uint64
}

func settings(s *param.Set) config {
	return config{
		ahead:   s.Int("ahead", 5, 1, 1<<20),
		gandiva: s.Enum("cost", "horus", "gandiva") == "gandiva",
		over:    s.Float("over", 1.6, 0, 1e6),
		most:    s.Int("most", 4, 1, 100),
		util:    s.Float("util", 0.5, 1e-3, 1),
		err:     s.Float("error", 0, 0, 10),
		seed:    uint64(s.Int64("seed", 1, 0, math.MaxInt64)),
	}
}
