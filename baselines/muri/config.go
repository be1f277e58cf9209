package muri

import (
	"tarry/sim/know"
	"tarry/sim/param"
	profiles "tarry/sim/speed/muri"
	"tarry/sim/stages"
)

// Params describes the settings for the catalogue.
const Params = `key         srsf: the GPU-time that is left, Muri-S | las: the GPU-time attained, Muri-L | las2d: queues by the GPU-time attained
queues      las2d: GPU-seconds at which a job goes to the end of the next queue, such as 3250/7200; within a queue jobs that wait go behind those that run
max         jobs in a group at most, 1..4
order       best: stages in the order with the shortest iteration | worst: the longest, to show what it is worth; it belongs to a
            speed model with the same order
matching    blossom: groups of the largest total used ratio | greedy: the best pair first | none: each candidate with those that it brought along
rounds      rounds of merging at most, 0..4
dissolve    a group that would be slower than its jobs one after the other is none; false: all groups run
block       groups that are matched at once, in the order of the list; 0 = all; 0 with mode=simulator
mode        native | simulator: as the authors' simulator places and charges, for runs in which changes cost nothing
profile     simulator: the folder with stages.csv, as of --speed muri:DIR, for stages and start overheads; none: the stages of the speed
            model, no overheads`

// config is what the settings say.
type config struct {
	las, simulator bool
	limits         []float64 // las2d, GPU-seconds; nil = no queues
	dissolve       bool
	most, rounds   int
	block          int
	order          stages.Order
	matching       string
	profile        *profiles.Profile
}

func settings(s *param.Set) config {
	key := s.Enum("key", "srsf", "las", "las2d")
	c := config{las: key != "srsf", most: s.Int("max", stages.Most, 1, stages.Most), rounds: s.Int("rounds", 4, 0, 4),
		dissolve: s.Bool("dissolve", true),
		matching: s.Enum("matching", "blossom", "greedy", "none")}
	if s.Enum("order", "best", "worst") == "worst" {
		c.order = stages.Worst
	}
	limits := s.Floats("queues", []float64{3250, 7200}, 1, 1e12)
	for i := 1; i < len(limits); i++ {
		if limits[i] <= limits[i-1] {
			s.FaultAt("queues", "queues has %v behind %v, expected GPU-seconds that grow", limits[i], limits[i-1])
		}
	}
	if key == "las2d" {
		c.limits = limits
	} else if s.Has("queues") {
		s.FaultAt("queues", "queues is of key=las2d, expected it beside")
	}
	c.simulator = s.Enum("mode", "native", "simulator") == "simulator"
	block := 128
	if c.simulator {
		block = 0
	}
	c.block = s.Int("block", block, 0, 1<<20)
	dir := s.Text("profile", "none")
	switch {
	case dir == "none":
	case !c.simulator:
		s.FaultAt("profile", "profile is of the simulator, expected mode=simulator beside it")
	default:
		p, err := profiles.Open(dir)
		if err != nil {
			s.FaultAt("profile", "%v", err)
		}
		c.profile = p
	}
	return c
}

// knows is progress and speeds for the stages, the profile for memory, and work for Muri-S; the
// replay needs it to know what the kernel has counted.
func (c *config) knows() know.Set {
	k := know.Speed | know.Progress | know.Profile
	if !c.las || c.simulator {
		k |= know.Work
	}
	return k
}
