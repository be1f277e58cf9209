package powerflow

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `budget       energy of all work, at most so much of what it takes on the GPUs asked for at the highest clock; inf = no budget
budget_kwh   energy of all work at most, kWh
counts       jobs whose energy the budget has: all in the system | placed: jobs that get GPUs
idle         part of the idle draw of a job's GPUs, and of its part of their machines, that its energy has
clock_min    lowest clock, relative to nominal
clocks       number of clocks, evenly up to nominal; 1 = the lowest alone
first        when GPUs are too few: short: the job that ends first by itself | arrival
slot_s       shortest time between two decisions, s; 0 = decide at every event`

type config struct {
	part, kwh      float64
	placed, short  bool
	idle, clockMin float64
	clocks         int
	slot           sim.Time
}

func settings(s *param.Set) config {
	c := config{part: s.Float("budget", 1, 0, math.Inf(1)), kwh: s.Float("budget_kwh", math.Inf(1), 0, math.Inf(1))}
	c.placed = s.Enum("counts", "all", "placed") == "placed"
	c.idle = s.Float("idle", 0, 0, 1)
	c.clockMin = s.Float("clock_min", 0.5, 0.1, 1)
	c.clocks = int(s.Int("clocks", 5, 1, 16))
	c.short = s.Enum("first", "short", "arrival") == "short"
	c.slot = sim.Seconds(s.Float("slot_s", 60, 0, 1e9))
	return c
}

// clock is the k-th clock, ascending; the last of several is nominal.
func (c *config) clock(k int) float64 {
	switch {
	case c.clocks == 1:
		return c.clockMin
	case k == c.clocks-1:
		return 1
	}
	return c.clockMin + float64((1-c.clockMin)*float64(k)/float64(c.clocks-1))
}
