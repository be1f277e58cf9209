package envs

import (
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/grow"
	"tarry/env/inspect"
	"tarry/env/limit"
	"tarry/env/mix"
	"tarry/env/offer"
	"tarry/env/order"
	"tarry/env/pairs"
	"tarry/env/pick"
	"tarry/env/place"
	"tarry/env/power"
	"tarry/env/preempt"
	"tarry/env/racks"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// older states what version 0 keeps.
const older = "; keeps older defaults, speed=tiers and models=ResNet50"

// clusters are the environments over the simulator; an episode ends at their own horizon.
// Environments of version 1 have the defaults of a run.
func clusters() []Entry {
	const timers, classes, victims, offers = "set Dally's delay timers per class of demand (continuous)",
		"the same, one class at a time, out of a list",
		"choose which running job gives its GPUs up (masked)", "take the place that is offered to a job, or wait " +
			"for a better one"
	evict := func(id string) func() []setting.Row {
		return func() []setting.Row { return preempt.Rows(id) }
	}
	no := func() []setting.Row { return nil }
	return []Entry{
		over(delaytimer.IDV1, timers, delaytimer.Rows, schedenv.Rows, delaytimer.MakeV1, delaytimer.Read),
		over(delaytimer.IDDiscreteV1, classes, delaytimer.Rows, schedenv.Rows, delaytimer.MakeDiscreteV1,
			delaytimer.Read),
		over(preempt.IDV2, "choose sets of running jobs that are killed for a job that finds no place, or wait for "+
			"a checkpoint (masked, searchable)", evict(preempt.IDV2), preempt.RowsV2, preempt.MakeV2, preempt.Read),
		over(preempt.IDV1, victims, evict(preempt.IDV1), schedenv.Rows, preempt.MakeV1, preempt.Read),
		over(order.ID, "order the jobs: a score for each job (continuous, searchable)",
			order.Rows, schedenv.Rows, order.Make, order.Read),
		over(pairs.ID, "order pairs of a job and a GPU type: a score for each pair (continuous, searchable)",
			pairs.Rows, schedenv.Rows, pairs.Make, pairs.Read),
		over(grow.ID, "share GPUs among elastic jobs, one worker more at a time, as DL2 does (masked)", grow.Rows, no,
			grow.Make, grow.Read),
		over(pick.ID, "pick which waiting job starts next, in RLScheduler's protocol (masked, searchable)",
			pick.Rows, no, pick.Make, pick.Read),
		over(mix.ID, "name which of several schedulers decides next, or which rule serves two queues (improper "+
			"mixtures, ASET)", mix.Rows, no, mix.Make, mix.Read),
		over(place.ID, "choose which waiting job starts and on which GPUs, among jobs that slow one another down (masked)",
			place.Rows, no, place.Make, place.Read),
		over(racks.ID, "place or forward the jobs of several schedulers, one for each rack, with one policy (masked)",
			racks.Rows, no, racks.Make, racks.Read),
		over(inspect.ID, "let the job go that a rule picked, or refuse it for now", inspect.Rows, no, inspect.Make,
			inspect.Read),
		over(power.ID, "switch machines off and on and set clocks, under prices and a cap (continuous)", power.Rows, no,
			power.Make, power.Read),
		over(limit.ID, "choose a job and its limit of GPUs, job by job (Decima; masked)", limit.Rows, no, limit.Make,
			limit.Read),
		over(offer.IDV1, offers, offer.Rows, schedenv.Rows, offer.MakeV1, offer.Read),
		over(delaytimer.ID, timers+older, delaytimer.Rows, schedenv.RowsV0, delaytimer.Make, delaytimer.Read),
		over(delaytimer.IDDiscrete, classes+older, delaytimer.Rows, schedenv.RowsV0, delaytimer.MakeDiscrete,
			delaytimer.Read),
		over(preempt.ID, victims+older+", leases=false", evict(preempt.ID), schedenv.RowsV0, preempt.Make,
			preempt.Read),
		over(offer.ID, offers+older, offer.Rows, schedenv.RowsV0, offer.Make, offer.Read),
	}
}

// over is an entry over the simulator, by the functions of its package.
func over[C any](id, doc string, own, more func() []setting.Row,
	make func(from scenario.Catalogues, options string) (env.Env, error),
	read func(s *param.Set, from scenario.Catalogues, id string) C) Entry {
	return Entry{ID: id, Doc: doc, New: make,
		Rows: func() []setting.Row { return append(own(), more()...) },
		Read: func(from scenario.Catalogues, s *param.Set) { read(s, from, id) }}
}
