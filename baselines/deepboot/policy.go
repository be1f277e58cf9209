package deepboot

import (
	"math"

	"tarry/baselines/pollux"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `interval   time between two decisions, s; they are at whole multiples of it
jobs       most jobs of a decision: running ones, then waiting ones that have had least GPU time
restart    time that a restart is taken to cost, s
batch      tuned: the batch of best goodput | own: jobs keep the batch that they came with
max        most GPUs of a job`

// New is DeepBoot's scheduler of training. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	a := pollux.Agents{Interval: sim.Seconds(s.Float("interval", 60, 1e-3, 1e9)),
		Jobs: s.Int("jobs", 1000, 1, math.MaxInt32), Restart: sim.Seconds(s.Float("restart", 10, 0, 1e9)),
		Tuned: s.Enum("batch", "tuned", "own") == "tuned", Max: s.Int("max", 64, 1, 1024)}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return pollux.By(&division{}, a, rule), nil
}
