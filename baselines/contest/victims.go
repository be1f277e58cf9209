package contest

import (
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

// evictSet evicts as many jobs as the blocked job needs at once, if there are enough of them.
func (p *Policy) evictSet(v *sim.View, blocked sim.JobID) bool {
	lacks := p.Lacks(v, blocked)
	if lacks <= 0 {
		return false
	}
	typ, own, there := v.Job(blocked).GPUType(), p.Order(v, blocked), 0
	l := later{own: own, margin: p.cfg.Margin}
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
	p.evicts.pool = pool
	if there < lacks {
		return false
	}
	for lacks > 0 {
		i := next(p.cfg.Victims, v, pool, lacks)
		p.Evict(v, pool[i].job)
		lacks -= pool[i].use
		pool = slices.Delete(pool, i, i+1)
	}
	return true
}

// next is the place of the job that goes next; of equals the later in order, then the one submitted
// first.
func next(k victim.Choice, v *sim.View, pool []goer, lacks int) int {
	best, least := 0, 0.0
	for i := range pool {
		g, b := &pool[i], &pool[best]
		s := k.Score(v, g.job, g.key, g.use, lacks)
		if i == 0 || s < least || s == least && (g.key > b.key || g.key == b.key && g.job < b.job) {
			best, least = i, s
		}
	}
	return best
}
