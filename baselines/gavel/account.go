package gavel

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// Pace is how often a scheduler decides.
type Pace struct {
	// RoundS is the length of a round, RecomputeS the least time between two computations of the
	// fractions, both in seconds.
	RoundS, RecomputeS float64
	// Fill gives GPUs that are left to jobs of fraction 0.
	Fill bool
}

// Pace gives the setting.
func (p *Book) Pace() Pace { return Pace{p.cfg.roundS, p.cfg.recompS, p.cfg.fill} }

// Begun reports whether Begin was called.
func (p *Book) Begun() bool { return p.rounds != nil }

// Active lists the jobs in order of arrival. The list must not be changed.
func (p *Book) Active() []sim.JobID { return p.active }

// Rounds has a row for each active job: its fractions, and the time that it has had.
func (p *Book) Rounds() *plan.Rounds { return p.rounds }

// Types gives the index into Topology.Types of each column, and the columns in the order in which
// the cluster names its types. They must not be changed.
func (p *Book) Types() (types, order []int) { return p.types, p.order }

// Usable is how many GPUs of a column are not down.
func (p *Book) Usable(column int) int { return p.usable[column] }

// Demand is what an active job asks for. It must not be changed.
func (p *Book) Demand(j sim.JobID) *plan.Demand { return &p.of(j).demand }

// Rate is the steps per second of an active job on a column.
func (p *Book) Rate(j sim.JobID, column int) float64 { return p.of(j).rate[column] }

// StepS is the length in seconds of an active job's step on a reference GPU.
func (p *Book) StepS(j sim.JobID) float64 { return p.of(j).stepS }

// Left is the last value of SetLeft, steps.
func (p *Book) Left(j sim.JobID) float64 { return p.of(j).left }

// SetLeft notes how many steps an active job has left; see Rules.Counted.
func (p *Book) SetLeft(j sim.JobID, steps float64) { p.of(j).left = steps }
