package envs

import (
	"tarry/env/delaytimer"
	"tarry/env/offer"
	"tarry/env/preempt"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim/param"
)

// clusters are the environments over the simulator; an episode ends at their own horizon.
func clusters() []Entry {
	return []Entry{
		{ID: delaytimer.ID, Doc: "set Dally's delay timers per class of demand (continuous)", Params: delaytimer.Options + "\n" + schedenv.Options, New: delaytimer.Make, Read: func(from scenario.Catalogues, s *param.Set) { delaytimer.Read(s, from) }},
		{ID: delaytimer.IDDiscrete, Doc: "the same, one class at a time, out of a list", Params: delaytimer.Options + "\n" + schedenv.Options, New: delaytimer.MakeDiscrete, Read: func(from scenario.Catalogues, s *param.Set) { delaytimer.Read(s, from) }},
		{ID: preempt.ID, Doc: "choose which running job gives its GPUs up (masked)", Params: preempt.Options + "\n" + schedenv.Options, New: preempt.Make, Read: func(from scenario.Catalogues, s *param.Set) { preempt.Read(s, from) }},
		{ID: offer.ID, Doc: "take the place that is offered to a job, or wait for a better one", Params: offer.Options + "\n" + schedenv.Options, New: offer.Make, Read: func(from scenario.Catalogues, s *param.Set) { offer.Read(s, from) }},
	}
}
