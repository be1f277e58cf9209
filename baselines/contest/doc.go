// Package contest is what the delay schedulers of this module share: jobs without GPUs choose among
// what is free, first in order first, and may decline a place that is worse than they can wait for.
// It is an order x timers x leases x evictions x backfilling: a Config names them as data, and a
// plan.TimerSource or a Ranker as code. baselines/dally is the published scheduler,
// baselines/ranked and env/order have an order of their own, baselines/variants has rules that no
// paper has.
//
// Reading guide: config.go states what a contest is made of; contest.go takes in events, round.go
// has the contest, lease.go makes the plan (plan.go) decisions and puts ended leases up, wake.go
// makes timers events, steps.go takes a decision apart for a scheduler that leaves a choice to an
// agent. class.go is the index that finds the next job in logarithmic time; due.go and rank.go keep
// keys that change. order.go has the orders, timers.go constant timers, evict.go (with runners.go)
// takes GPUs from jobs that come later in the order, backfill.go keeps EASY's reservation, hosts.go
// sees to the CPU and memory of machines. variant.go is what a variant may add.
package contest
