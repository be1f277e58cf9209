package envs

import (
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/offer"
	"tarry/env/order"
	"tarry/env/pick"
	"tarry/env/preempt"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim/param"
)

// older says what version 0 keeps.
const older = "; keeps older defaults, speed=tiers and models=ResNet50"

// clusters are the environments over the simulator; an episode ends at their own horizon.
// Environments of version 1 have the defaults of a run.
func clusters() []Entry {
	const timers, classes, victims, offers = "set Dally's delay timers per class of demand (continuous)",
		"the same, one class at a time, out of a list",
		"choose which running job gives its GPUs up (masked)", "take the place that is offered to a job, or wait " +
			"for a better one"
	timer, evict, place := delaytimer.Options+"\n", preempt.Options+"\n", offer.Options+"\n"
	return []Entry{
		over(delaytimer.IDV1, timers, timer+schedenv.Options(), delaytimer.MakeV1, delaytimer.Read),
		over(delaytimer.IDDiscreteV1, classes, timer+schedenv.Options(), delaytimer.MakeDiscreteV1, delaytimer.Read),
		over(preempt.IDV1, victims, evict+schedenv.Options(), preempt.MakeV1, preempt.Read),
		over(order.ID, "say who goes first: a score for each job (continuous, searchable)",
			order.Options+"\n"+schedenv.Options(), order.Make, order.Read),
		over(pick.ID, "pick which waiting job starts next, in RLScheduler's protocol (masked, searchable)",
			pick.Options+"\n"+schedenv.OptionsOver(pick.Defaults(), pick.Reward), pick.Make, pick.Read),
		over(offer.IDV1, offers, place+schedenv.Options(), offer.MakeV1, offer.Read),
		over(delaytimer.ID, timers+older, timer+schedenv.OptionsV0(), delaytimer.Make, delaytimer.Read),
		over(delaytimer.IDDiscrete, classes+older, timer+schedenv.OptionsV0(), delaytimer.MakeDiscrete,
			delaytimer.Read),
		over(preempt.ID, victims+older+", leases=false", evict+schedenv.OptionsV0(), preempt.Make,
			preempt.Read),
		over(offer.ID, offers+older, place+schedenv.OptionsV0(), offer.Make, offer.Read),
	}
}

// over is an entry over the simulator, by the functions of its package.
func over[C any](id, doc, params string, make func(from scenario.Catalogues, options string) (env.Env, error),
	read func(s *param.Set, from scenario.Catalogues, id string) C) Entry {
	return Entry{ID: id, Doc: doc, Params: params, New: make,
		Read: func(from scenario.Catalogues, s *param.Set) { read(s, from, id) }}
}
