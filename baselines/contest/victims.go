package contest

import (
	"errors"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/plan/victim"
)

// goer is a job that may go.
type goer struct {
	job sim.JobID
	key float64
	use int
}

// evictSet evicts as many jobs as the blocked job needs at once, if there are enough of them, or
// begins to wait for the checkpoint of the first; it reports whether jobs went.
func (p *Policy) evictSet(v *sim.View, blocked sim.JobID) bool {
	lacks := p.Lacks(v, blocked)
	if lacks <= 0 {
		return false
	}
	l := later{own: math.Inf(-1)} // weights have a gate
	if len(p.cfg.Weights) == 0 {
		l = later{own: p.Order(v, blocked), margin: p.cfg.Margin}
	}
	if there := p.collect(v, v.Job(blocked).GPUType(), &l); there < lacks {
		return false
	}
	set := p.evicts.set[:0]
	for lacks > 0 {
		i, waits := p.nextToGo(v, blocked, lacks, len(set) > 0)
		if i < 0 {
			return false
		}
		g := p.evicts.pool[i]
		if waits {
			p.evicts.hold = v.Run(g.job).NextCheckpoint()
			return false
		}
		set = append(set, g.job)
		lacks -= g.use
		p.evicts.pool = slices.Delete(p.evicts.pool, i, i+1)
	}
	p.evicts.set = set
	for _, j := range set {
		p.Evict(v, j)
	}
	return true
}

// collect lists the jobs that may go, the last in order first and of equals the one submitted first,
// and gives how many GPUs of theirs a job that asks for a type can use.
func (p *Policy) collect(v *sim.View, typ string, l *later) (there int) {
	pool := p.evicts.pool[:0]
	for _, j := range v.Running() {
		if p.Spared(v, j) || !p.Evictable(v, j) {
			continue
		}
		if g := (goer{j, p.Order(v, j), p.Usable(v, j, typ)}); g.use > 0 && l.after(g.key) {
			pool = append(pool, g)
			there += g.use
		}
	}
	slices.SortFunc(pool, func(a, b goer) int {
		switch {
		case a.key > b.key || a.key == b.key && a.job < b.job:
			return -1
		case a.key == b.key && a.job == b.job:
			return 0
		}
		return 1
	})
	p.evicts.pool = pool
	return there
}

// nextToGo is the place of the job that goes next, of equals the first, and whether its checkpoint
// is waited for; -1 = none goes.
func (p *Policy) nextToGo(v *sim.View, blocked sim.JobID, lacks int, begun bool) (at int, waits bool) {
	if len(p.cfg.Weights) > 0 {
		return p.byWeights(v, blocked, lacks, begun)
	}
	pool, least := p.evicts.pool, 0.0
	for i := range pool {
		if s := p.cfg.Victims.Score(v, pool[i].job, pool[i].key, pool[i].use, lacks); i == 0 || s < least {
			at, least = i, s
		}
	}
	return at, !begun && victim.Waits(v, pool[at].job, p.evicts.within)
}

// byWeights is nextToGo by Config.Weights.
func (p *Policy) byWeights(v *sim.View, blocked sim.JobID, lacks int, begun bool) (at int, waits bool) {
	lease, asks := sim.Seconds(p.evicts.leaseS), 0
	for _, c := range p.classes {
		asks += c.GPUs * c.Live
	}
	f, ok := victim.Foresee(v, blocked, lease)
	if !ok {
		v.Fail(errors.New("weights of victims read predictions, expected a run with a predictor"))
		return -1, false
	}
	w := victim.Weighing{Weights: p.cfg.Weights, Demand: victim.Demand(v, asks), Rank: f.Rank, Begun: begun,
		Lacks: float64(lacks) / float64(v.Job(blocked).GPUs())}
	for i, g := range p.evicts.pool {
		r := victim.Read(v, g.job, blocked, g.use, lease)
		w.Add(i, &r)
	}
	return w.Choice()
}
