package envs

import (
	"tarry/env/delaytimer"
	"tarry/env/offer"
	"tarry/env/preempt"
	"tarry/env/schedenv"
	"tarry/sim/param"
)

// clusters are the environments over the simulator; an episode ends at their own horizon.
func clusters() []Entry {
	return []Entry{
		{ID: delaytimer.ID, Doc: "set Dally's delay timers per class of demand (continuous)", Params: delaytimer.Options + "\n" + schedenv.Options, New: delaytimer.Make, read: func(s *param.Set) { delaytimer.Read(s) }},
		{ID: delaytimer.IDDiscrete, Doc: "the same, one class at a time, out of a list", Params: delaytimer.Options + "\n" + schedenv.Options, New: delaytimer.MakeDiscrete, read: func(s *param.Set) { delaytimer.Read(s) }},
		{ID: preempt.ID, Doc: "choose which running job gives its GPUs up (masked)", Params: preempt.Options + "\n" + schedenv.Options, New: preempt.Make, read: func(s *param.Set) { preempt.Read(s) }},
		{ID: offer.ID, Doc: "take the place that is offered to a job, or wait for a better one", Params: offer.Options + "\n" + schedenv.Options, New: offer.Make, read: func(s *param.Set) { offer.Read(s) }},
	}
}
