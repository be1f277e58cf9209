package artist

import (
	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// NewDally is Dally as its authors' simulator runs it.
func NewDally(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c, h := dally.Auto.Config(s), Default()
	c.Rule, c.Return, c.ByEvents = rule, true, true
	c.Read(s)
	late := s.Enum("forget", "late", "age") == "late"
	h.Read(s)
	if !c.Return && h.SettleS > 0 {
		s.Fault("settle is %v s with renew=win or keep, expected 0: only GPUs that were given back (renew=return) "+
			"wait to be contested", h.SettleS)
	}
	h.Rounded = s.Enum("digits", "all", "nine") == "nine"
	h.On(&c.Config)
	timers := c.Timers()
	if c.Auto && late {
		timers = &tuner{lease: sim.Seconds(c.LeaseS), history: c.History, bounds: c.Bounds()}
	}
	return dally.NewPolicy(c, timers), s.Err()
}

// DallyParams describes its settings for the catalogue.
const DallyParams = dally.Params + `
chunk     iterations per GPU between points at which a lease is given up, 0 = any time
settle    time per GPU that came free before it is contested, s
early     now | settle | never: a lease that would end before the next point is given up then
forget    late: old waits are forgotten when that program forgets them | age: when they leave the window
digits    all | nine: of the network sensitivity by which jobs are ordered`
