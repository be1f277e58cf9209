package rollout

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/law"
	"tarry/sim/plan/victim"
)

// Victims is a contest with evictions whose victims are chosen by rollouts. Build it with NewVictims.
type Victims struct {
	stage
	base  *steered
	trial *steered // a copy of base, for the model
	asks  request
	turns []turn
}

// NewVictims is a planner over a contest that evicts; the contest is its own from now on.
// Config.Demotes and Arrivals are not read.
func NewVictims(cfg Config, p *contest.Policy) *Victims {
	return &Victims{stage: stage{cfg: cfg}, base: newSteered(p)}
}

// Knows is what the base reads, and what the plays do.
func (p *Victims) Knows() know.Set { return p.base.Knows() | p.knows() }

// Decide implements sim.Policy.
func (p *Victims) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Waiting() > 0 && len(v.Running()) > 0 && (p.plans == 0 || v.Now()-p.last >= p.cfg.Epoch) {
		if err := p.improve(v); err != nil {
			v.Fail(fmt.Errorf("rollout: %w", err))
			return out
		}
	}
	return p.base.Decide(v, out)
}

// improve compares what may be done about the request of this instant, if there is one.
func (p *Victims) improve(v *sim.View) error {
	if p.trial == nil {
		p.trial = newSteered(new(contest.Policy))
	}
	if err := p.ask(v); err != nil || p.asks.lacks == 0 {
		return err
	}
	if p.choose(v); len(p.turns) == 0 {
		return nil
	}
	p.last = v.Now()
	i, err := p.compare(v, len(p.turns), func(j sim.JobID) law.Law { return lawOf(v, j) },
		func(i int) (float64, error) { return p.play(v, i) })
	if err == nil && i != base {
		p.base.turn = &p.turns[i]
	}
	return err
}

// ask has the contest of this instant held in the model, where no job is evicted.
func (p *Victims) ask(v *sim.View) error {
	least := func(sim.JobID) sim.Time { return 0 }
	if p.Knows().Clairvoyant() { // the order may read it
		least = func(j sim.JobID) sim.Time { return sim.Time(v.Job(j).Work()) }
	}
	p.present(v)
	if err := p.model.Follow(v, least); err != nil {
		return err
	}
	p.trial.copyFrom(p.base)
	_, took, err := p.model.PlayOut(probe{p.trial, &p.asks}, 1)
	p.spent += int64(took)
	return err
}

// play gives the sum of completion times of the jobs in the system under a turn.
func (p *Victims) play(v *sim.View, i int) (float64, error) {
	if err := p.follow(v); err != nil {
		return 0, err
	}
	p.trial.copyFrom(p.base)
	if i != base {
		t := p.turns[i]
		p.trial.turn = &t
	}
	return p.playOut(p.trial)
}

// choose lists the turns: to evict no job for a while, the sets of each rule, and sets with each
// job that may go first.
func (p *Victims) choose(v *sim.View) {
	r, now := &p.asks, v.Now()
	_, margin, _ := p.base.Evictions()
	later := func(by float64) func(*holder) bool {
		return func(h *holder) bool { return h.key > r.key && h.key > r.key+by }
	}
	all := func(*holder) bool { return true }
	rule := p.base.Victims()
	own := r.set(v, rule, later(margin), sim.NoJob)
	p.turns = p.turns[:0]
	if held := p.base.hold > now; held {
		p.turns = append(p.turns, turn{set: own})
		own = nil
	} else if own != nil {
		for _, at := range []sim.Time{now + p.cfg.Hold/4, now + p.cfg.Hold, r.soonest()} {
			if at > now && at != sim.Never {
				p.turns = append(p.turns, turn{hold: at})
			}
		}
	}
	for _, may := range []func(*holder) bool{later(margin), later(0), all} {
		for _, by := range []victim.Choice{victim.LeastLostPerGPU, victim.LeastLost, victim.LastInOrder} {
			p.add(r.set(v, by, may, sim.NoJob), own)
		}
	}
	slices.SortStableFunc(r.pool, func(a, b holder) int {
		return cmp.Compare(a.lost/float64(a.use), b.lost/float64(b.use))
	})
	for i := range r.pool {
		p.add(r.set(v, victim.LeastLostPerGPU, all, r.pool[i].job), own)
	}
}

// add lists a set that is not there yet, and is not the base's own, as long as there is room.
func (p *Victims) add(set, own []sim.JobID) {
	set = p.asks.needed(set)
	same := func(t turn) bool { return slices.Equal(t.set, set) }
	if set != nil && !slices.Equal(set, own) && len(p.turns) < p.cfg.Variants && !slices.ContainsFunc(p.turns, same) {
		p.turns = append(p.turns, turn{set: set})
	}
}

// lawOf is the law of a job by the run's predictor; without one it is what its run time is thought
// to be.
func lawOf(v *sim.View, j sim.JobID) law.Law {
	if l, ok := v.Job(j).Law(); ok {
		return l
	}
	return law.Law{LogMedian: math.Log(math.Max(1, v.Job(j).Estimate()) / v.Job(j).Width() / 1e6)}
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Victims) Clone() sim.Policy {
	return &Victims{stage: p.copied(), base: p.base.Clone().(*steered)}
}
