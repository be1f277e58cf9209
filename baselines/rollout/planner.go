package rollout

import (
	"fmt"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/law"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Config is what an epoch may cost and when a variant is taken.
type Config struct {
	// Variants is the number of variants of an epoch, at most; >= 1.
	Variants int
	// Samples is the number of draws on which each is played, at most; >= 2.
	Samples int
	// Errors is by how many standard errors the mean gain must exceed 0; >= 0.
	Errors float64
	// Spread is how wide draws are about the median, of what the law states; > 0, 1 = as it states.
	Spread float64
	// Instants bounds the cost of an epoch: so many instants are played in all; >= 1.
	Instants int
	// Epoch is the least time between two epochs.
	Epoch sim.Time
	// Arrivals ends an epoch as soon as so many jobs have come; 0 = time alone ends it.
	Arrivals int
	// Hold is the longest time for which no job is evicted without a new comparison: NewVictims
	// alone; > 0.
	Hold sim.Time
	// Demotes has running jobs go behind all others, too: only where the contest evicts jobs or
	// grants are leases.
	Demotes bool
	// Exact plays with the true work in place of draws, on one sample. It is clairvoyant.
	Exact bool
	// Reads is what Ranker.Law reads.
	Reads know.Set
	// Draws is the stream of the samples. Not with Exact.
	Draws *rng.Stream
}

// Ranker is an order with a law for each job.
type Ranker interface {
	contest.Ranker
	// Law is the law of a job's run time, on the GPUs that it asks for, at full speed.
	Law(v *sim.View, j sim.JobID) law.Law
}

// Planner is a contest whose order is improved by rollouts. Build it with New.
type Planner struct {
	stage
	base  *contest.Policy
	order *bend // of base

	trial    *contest.Policy // a copy of base, for the model
	variants []variant
}

// New is a planner over a contest by keys that change; the source of timers and the order are its
// own from now on.
func New(cfg Config, c contest.Config, timers plan.TimerSource, by Ranker) *Planner {
	order := &bend{Ranker: by}
	return &Planner{stage: stage{cfg: cfg}, base: contest.NewRanked(c, timers, order), order: order}
}

// Knows is what the base reads, and what the plays do.
func (p *Planner) Knows() know.Set { return p.base.Knows() | p.knows() }

// Decide implements sim.Policy.
func (p *Planner) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.due(v) {
		if err := p.improve(v); err != nil {
			v.Fail(fmt.Errorf("rollout: %w", err))
			return out
		}
	}
	return p.base.Decide(v, out)
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Planner) Clone() sim.Policy {
	c := &Planner{stage: p.copied(), base: p.base.Clone().(*contest.Policy)}
	c.order = c.base.OrderedBy().(*bend)
	return c
}
