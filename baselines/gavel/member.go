package gavel

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// member is what is kept of a job beside its row of plan.Rounds.
type member struct {
	job    sim.JobID
	demand plan.Demand
	rate   []float64 // steps/s by column
	stepS  float64   // seconds of a step on one reference GPU
	weight float64
	// entityWeight is the weight of the entity among all.
	entityWeight float64
	entity       string
	// on is the column on which it runs, none when it waits, and wide for GPUs of any types; to is
	// the same of the round.
	on, to int32
	since  sim.Time // up to when its time is booked
	placed bool     // it has GPUs in this round
	missed int      // rounds in which it had a place and no machine had room
	got    float64  // seconds that a wide job has had
	wide   bool     // no type has as many GPUs
	kind   kind
	// mate runs on the same GPUs, NoJob = none; with is the mate of the round. row is the row of
	// plan.Rounds on which the time of the two is booked, none = nowhere; turn the row of the
	// round.
	mate, with sim.JobID
	row, turn  int32
	keeps      bool // it stays on its GPUs in this round
	joined     sim.Time
	left       float64 // see SetLeft
	past
}
