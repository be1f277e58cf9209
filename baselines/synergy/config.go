package synergy

import (
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `order      fifo: arrival | las: least attained service | srtf: shortest remaining time | ftf: finish-time fairness, worst-off first
mechanism  tune | greedy | proportional: each job has its part by GPUs | opt: the best choice, placed as tune places demands
round_s    length of a round, s
near       part of the highest throughput from which on a job's demand is met
nodes      linear problems after which opt takes the best choice found
stay       true: jobs keep the GPUs that they have where their CPU and memory fit; false: each round places anew`

// config has the settings.
type config struct {
	order     string
	mechanism string
	round     sim.Time
	near      float64
	nodes     int
	stay      bool
}

func settings(s *param.Set) config {
	return config{
		order:     s.Enum("order", "fifo", "las", "srtf", "ftf"),
		mechanism: s.Enum("mechanism", "tune", "greedy", "proportional", "opt"),
		round:     sim.Seconds(s.Float("round_s", 300, 1e-3, 1e9)),
		near:      s.Float("near", 0.9, 0.01, 1),
		nodes:     s.Int("nodes", 2000, 1, 1<<30),
		stay:      s.Bool("stay", true),
	}
}
