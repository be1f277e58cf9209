package muri

import (
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/stages"
)

// Params describes the settings for the catalogue.
const Params = `key         srsf: the GPU-time that is left, Muri-S | las: the GPU-time attained, Muri-L | las2d: queues by the GPU-time attained
queues      las2d: GPU-seconds at which a job goes to the end of the next queue, such as 3250/7200; within a queue waiting jobs go behind running ones
max         jobs in a group at most, 1..4
order       best: stages in the order with the shortest iteration | worst: the longest, to show its effect; it belongs to a
            speed model with the same order
matching    blossom: groups of the largest total used ratio | greedy: the best pair first | none: each candidate with its own partners
rounds      rounds of merging at most, 0..4
dissolve    a group that would be slower than its jobs one after the other is none; false: all groups run
block       groups that are matched at once, in the order of the list; 0 = all`

// config has the settings.
type config struct {
	las          bool
	limits       []float64 // las2d, GPU-seconds; nil = no queues
	dissolve     bool
	most, rounds int
	block        int
	order        stages.Order
	matching     string
}

// settings reads Params; block is a default.
func settings(s *param.Set, block int) config {
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
	c.block = s.Int("block", block, 0, 1<<20)
	return c
}

// knows is progress and speeds for the stages, the profile for memory, and work for Muri-S; the
// account of a Program needs it to read what the kernel has counted.
func (c *config) knows(account bool) know.Set {
	k := know.Speed | know.Progress | know.Profile
	if !c.las || account {
		k |= know.Work
	}
	return k
}
