package pollux

import (
	"math"

	"tarry/baselines/pollux/search"
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `interval   time between two searches, s; they are at whole multiples of it
population states that survive a generation of the search
generations of a search
jobs       most jobs of a search: running ones, then waiting ones that have had least GPU time
p          exponent of the mean of the speed-ups; lower is fairer, 0 = geometric
restart    time that a restart is taken to cost, s
avoid      at most one job of several machines on a machine, against interference
batch      tuned: the batch of best goodput | own: jobs keep the batch that they came with
max        most GPUs of a job
machines   most machines of a job; one that has more GPUs at least may have as many as these
seed       of the search`

// config has the parameters.
type config struct {
	interval sim.Time
	search   search.Config
	jobs     int
	p        float64
	restart  sim.Time
	avoid    bool
	tuned    bool
	max      int
	machines int
	seed     uint64
}

func newConfig(s *param.Set) config {
	c := config{interval: sim.Seconds(s.Float("interval", 60, 1e-3, 1e9))}
	c.search.Population, c.search.Generations = s.Int("population", 100, 1, 10_000),
		s.Int("generations", 100, 1, 1_000_000)
	c.jobs = s.Int("jobs", 1000, 1, math.MaxInt32)
	c.p = s.Float("p", -1, -100, 100)
	c.restart, c.avoid = sim.Seconds(s.Float("restart", 30, 0, 1e9)), s.Bool("avoid", true)
	c.tuned = s.Enum("batch", "tuned", "own") == "tuned"
	c.max, c.machines = s.Int("max", 64, 1, math.MaxUint16), s.Int("machines", 16, 1, math.MaxUint16)
	c.seed = uint64(s.Int64("seed", 1, 0, math.MaxInt64))
	return c
}
