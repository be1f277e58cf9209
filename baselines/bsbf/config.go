package bsbf

import (
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
)

// common describes the settings that both policies have.
const common = `order      time: the shortest time left goes first | gpu-time: the shortest time left x GPUs
by         work: the true time left (clairvoyant) | estimate: the estimated one, of --predict or --estimate-error
place      consolidate: idle GPUs at the finest unit that has them, shared ones on one machine if one will do | jobs: idle GPUs of the machines with the fewest jobs, shared ones wherever they are
accum      most micro-batches per update: where a job's memory does not fit beside another it is halved, and halved again; 1 = never
batch_mem  the part of a job's GPU memory that falls with the micro-batch, in proportion`

// Params and FFSParams describe the settings of sjf-bsbf and sjf-ffs for the catalogue.
const (
	Params    = common
	FFSParams = common
)

// config has the settings.
type config struct {
	always   bool // share whatever it costs: sjf-ffs
	gpuTime  bool
	estimate bool
	jobs     bool // place=jobs
	accum    int32
	batchMem float64
}

func settings(s *param.Set) config {
	return config{
		gpuTime:  s.Enum("order", "time", "gpu-time") == "gpu-time",
		estimate: s.Enum("by", "work", "estimate") == "estimate",
		jobs:     s.Enum("place", "consolidate", "jobs") == "jobs",
		accum:    int32(s.Int("accum", 8, 1, 1<<16)),
		batchMem: s.Float("batch_mem", 0.5, 0, 1),
	}
}

// knows is what the policy reads of jobs.
func (c *config) knows() know.Set {
	if c.estimate {
		return know.Estimate | know.Done | know.Speed | know.Profile
	}
	return know.Work | know.Speed | know.Profile
}

// left is the work left of a job, as far as the policy knows it; at least a microsecond.
func (c *config) left(v *sim.View, j sim.JobID) float64 {
	if c.estimate {
		return max(1, v.Job(j).Estimate()-v.Run(j).Done())
	}
	return max(1, v.Run(j).Left())
}
