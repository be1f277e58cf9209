package layout

import (
	"math"

	"tarry/sim/mig"
)

// Nowhere is the place of a job that is not on the GPU.
const Nowhere = -1

// Realise chooses a placement for each group, so that the jobs that must change their instance
// weigh least together. now has the present placement of each job, Nowhere for one that comes,
// weight what a change of it costs; the cost of a job that comes is not counted. place gets the
// placement of each group. ok is false where the groups do not fit together, as the groups of Best
// do. Of equals it gives the first, by placements ascending.
func (s *Shapes) Realise(groups []Group, now []int, weight []float64, place []int) (cost float64, ok bool) {
	r := realiser{d: s.dev, groups: groups, now: now, weight: weight, best: math.Inf(1), place: place}
	r.try(0, 0, 0)
	return r.best, !math.IsInf(r.best, 1)
}

type realiser struct {
	d      *mig.Device
	groups []Group
	now    []int
	weight []float64
	at     [mostInstances]int
	best   float64
	place  []int
}

// try places the groups from number n on beside a set.
func (r *realiser) try(n int, set mig.Set, cost float64) {
	if cost >= r.best {
		return
	}
	if n == len(r.groups) {
		r.best = cost
		copy(r.place, r.at[:n])
		return
	}
	g := r.groups[n]
	for p, at := range r.d.Placements {
		if at.Profile != int(g.Profile) || !r.d.Fits(set, p) {
			continue
		}
		r.at[n] = p
		r.try(n+1, set.With(p), cost+r.moves(g.A, p)+r.moves(g.B, p))
	}
}

// moves is what it costs to have a job at placement p.
func (r *realiser) moves(job int8, p int) float64 {
	if job < 0 || r.now[job] == p || r.now[job] == Nowhere {
		return 0
	}
	return r.weight[job]
}
