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
	cfg   Config
	base  *contest.Policy
	order *bend // of base
	began bool
	last  sim.Time // the last epoch
	came  int      // jobs that came since
	plans int64
	spent int64 // instants played

	model sim.Engine
	trial *contest.Policy // a copy of base, for the model
	epoch epoch
}

// New is a planner over a contest by keys that change; the source of timers and the order are its
// own from now on.
func New(cfg Config, c contest.Config, timers plan.TimerSource, by Ranker) *Planner {
	order := &bend{Ranker: by}
	return &Planner{cfg: cfg, base: contest.NewRanked(c, timers, order), order: order}
}

// Knows is what the base reads, the progress of jobs, and the speed of placements, which the model
// has; the true work only with Config.Exact.
func (p *Planner) Knows() know.Set {
	k := p.base.Knows() | p.cfg.Reads | know.Done | know.Speed
	if p.cfg.Exact {
		k |= know.Work
	}
	return k
}

// Decide implements sim.Policy.
func (p *Planner) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			p.came++
		}
	}
	due := v.Now()-p.last >= p.cfg.Epoch || p.cfg.Arrivals > 0 && p.came >= p.cfg.Arrivals
	if p.began && due && v.Waiting() > 0 {
		p.last, p.came = v.Now(), 0
		if err := p.improve(v); err != nil {
			v.Fail(fmt.Errorf("rollout: %w", err))
			return out
		}
	}
	p.began = true
	return p.base.Decide(v, out)
}

// Planned is the number of comparisons so far, and of the instants that they played.
func (p *Planner) Planned() (comparisons, instants int64) { return p.plans, p.spent }

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Planner) Clone() sim.Policy {
	c := &Planner{cfg: p.cfg, base: p.base.Clone().(*contest.Policy), began: p.began, last: p.last, came: p.came,
		plans: p.plans, spent: p.spent}
	c.order = c.base.OrderedBy().(*bend)
	c.cfg.Draws = p.cfg.Draws.Clone()
	return c
}
