package lyra

import (
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `elastic    true: jobs begin with their base demand and get extra workers | false: they have what they ask for
base       base demand of a job: asked: what it asks for | least: the fewest GPUs that it runs on
share      exact: extra workers that save most seconds together | greedy: one by one, to the job that a GPU saves most
left       what a job has left: estimate | work: the truth
base_on    machines that base demands prefer: own: of training | lent: by services | any
extra_on   machines that extra workers prefer: lent | own | any
slot_s     shortest time between two decisions, s; 0 = decide at every event`

// Machines that a worker prefers.
const (
	own = iota
	lent
	either
)

type config struct {
	elastic, least, greedy, work bool
	baseOn, extraOn              int
	slot                         sim.Time
}

func settings(s *param.Set) config {
	where := map[string]int{"own": own, "lent": lent, "any": either}
	c := config{elastic: s.Bool("elastic", true)}
	c.least = s.Enum("base", "asked", "least") == "least"
	c.greedy = s.Enum("share", "exact", "greedy") == "greedy"
	c.work = s.Enum("left", "estimate", "work") == "work"
	c.baseOn = where[s.Enum("base_on", "own", "lent", "any")]
	c.extraOn = where[s.Enum("extra_on", "lent", "own", "any")]
	c.slot = sim.Seconds(s.Float("slot_s", 60, 0, 1e9))
	return c
}
