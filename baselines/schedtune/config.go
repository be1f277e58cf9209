package schedtune

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `margin   of the predicted memory that is kept free beside it
error    standard deviation of the logarithm of the prediction's error
bias     the median prediction over the need
avoid    GPUs without memory enough are left out; false: jobs run out of memory and start again
most     jobs on a GPU
unknown  a job of unknown memory gets GPUs of its own (alone) or counts as none (share)
backoff  wait after running out of memory, s; doubles each time, up to 30 times as long
block    a job that finds no GPUs holds up those behind it
seed     of the errors`

type config struct {
	margin, sigma, bias float64
	avoid, alone, block bool
	most                int
	backoff             sim.Time
	seed                uint64
}

func settings(s *param.Set) config {
	return config{
		margin:  s.Float("margin", 0.1, 0, 100),
		sigma:   s.Float("error", 0, 0, 10),
		bias:    s.Float("bias", 1, 1e-3, 1e3),
		avoid:   s.Bool("avoid", true),
		most:    s.Int("most", 2, 1, 100),
		alone:   s.Enum("unknown", "alone", "share") == "alone",
		backoff: sim.Seconds(s.Float("backoff", 10, 1e-6, 1e6)),
		block:   s.Bool("block", false),
		seed:    uint64(s.Int64("seed", 1, 0, math.MaxInt64)),
	}
}
