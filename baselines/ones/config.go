package ones

import (
	"math"

	"tarry/baselines/ones/evolve"
	"tarry/baselines/ones/progress"
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `population   schedules that live on
cross        probability that two schedules exchange a slot
mutate       probability that a mutation takes a job out
generations  at each decision
every        shortest time between two searches, s; 0 = search at every event
wait         epochs of a job before it is judged, and between two changes of its limit
most         largest number of GPUs over that asked for; inf = no bound but the job's own
first        a new job gets its least count (least) or the GPUs it asks for (asked)
batch        weak: grows with the GPUs | fixed | auto = weak where the speed model has limits of the batch
place        blocks: slots are GPUs | near: the counts alone, with few moves
speed        T(n) as observed | known: of the speed model, relative to what is observed
predict      b by the network (net), as the mean of the epochs that were left (mean), or as many as have passed (lindy)
sample       what is left is drawn, else its mean
hidden       units of the network
passes       how often a training sees each row
rows         epochs of ended jobs that it learns from
rate         step size of Adam
epoch_s      an epoch where the speed model has no marks, in s of work on one reference GPU
seed         of the search, the draws and the network`

type config struct {
	search      evolve.Config
	predict     progress.Config
	generations int
	every       sim.Time
	wait        int32
	most        float64
	asked       bool // new jobs get what they ask for
	weak, auto  bool
	near        bool
	known       bool // speeds
	sample      bool
	epoch       float64 // microseconds of work
	seed        uint64
}

// step is how far apart a job is looked at that has done some work, where the speed model has no
// marks: an epoch, twice as many after 64 epochs, and so on, so that a job of any length costs few
// looks.
func (c *config) step(done float64) float64 {
	step := c.epoch
	for done >= 64*step {
		step *= 2
	}
	return step
}

func settings(s *param.Set) config {
	c := config{
		search: evolve.Config{Size: s.Int("population", 16, 1, 10000), Cross: s.Float("cross", 0.5, 0, 1),
			Mutate: s.Float("mutate", 0.3, 0, 1)},
		generations: s.Int("generations", 4, 1, 1e6),
		every:       sim.Seconds(s.Float("every", 1, 0, 1e9)),
		wait:        int32(s.Int("wait", 2, 0, 1e6)),
		most:        s.Float("most", 4, 1, math.Inf(1)),
		asked:       s.Enum("first", "least", "asked") == "asked",
		near:        s.Enum("place", "blocks", "near") == "near",
		known:       s.Enum("speed", "observed", "known") == "known",
		sample:      s.Bool("sample", true),
		epoch:       1e6 * s.Float("epoch_s", 300, 1e-3, 1e12),
		seed:        uint64(s.Int64("seed", 1, 0, math.MaxInt64)),
	}
	switch s.Enum("batch", "auto", "weak", "fixed") {
	case "auto":
		c.auto = true
	case "weak":
		c.weak = true
	}
	switch s.Enum("predict", "net", "mean", "lindy") {
	case "mean":
		c.predict.Kind = progress.Mean
	case "lindy":
		c.predict.Kind = progress.Lindy
	}
	c.predict.Hidden, c.predict.Passes = s.Int("hidden", 64, 1, 1000), s.Int("passes", 60, 1, 100000)
	c.predict.Rows, c.predict.Rate = s.Int("rows", 500, 1, 1e6), s.Float("rate", 0.01, 1e-9, 1)
	return c
}
