package rollout

import (
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/plan/victim"
)

// request is a blocked job that lacks GPUs which running jobs have, as the contest of an instant
// leaves it.
type request struct {
	blocked sim.JobID
	key     float64 // of the blocked job
	lacks   int
	pool    []holder // who may go, in the order of their numbers
}

// holder is a running job that may go.
type holder struct {
	job  sim.JobID
	key  float64
	use  int     // GPUs of it that the blocked job can use
	lost float64 // GPU-seconds that a kill undoes
	due  sim.Time
}

// probe notes the request of an instant, and evicts no job.
type probe struct {
	*steered
	asks *request
}

// Decide implements sim.Policy.
func (q probe) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = q.Begin(v, out)
	q.Contest(v)
	q.asks.note(v, q.Policy)
	return q.Finish(v, out)
}

// note takes in the request after a contest; lacks is 0 where there is none.
func (r *request) note(v *sim.View, p *contest.Policy) {
	r.lacks, r.pool = 0, r.pool[:0]
	blocked, ok := p.Blocked()
	if !ok {
		return
	}
	lacks, there := p.Lacks(v, blocked), 0
	if lacks <= 0 {
		return
	}
	r.blocked, r.key = blocked, p.Order(v, blocked)
	for _, j := range v.Running() {
		if !p.Spared(v, j) && p.Evictable(v, j) {
			if use := p.Usable(v, j, v.Job(blocked).GPUType()); use > 0 {
				there += use
				r.pool = append(r.pool, holder{j, p.Order(v, j), use, victim.Lost(v, j), v.Run(j).NextCheckpoint()})
			}
		}
	}
	if there >= lacks {
		r.lacks = lacks
	}
	slices.SortFunc(r.pool, func(a, b holder) int { return int(a.job) - int(b.job) })
}

// set is who goes by a rule, of the jobs that a test lets go, one of them first (sim.NoJob: the
// rule's own), in the order of their numbers; nil where they have too few GPUs.
func (r *request) set(v *sim.View, by victim.Choice, may func(*holder) bool, first sim.JobID) []sim.JobID {
	var taken []*holder
	lacks := r.lacks
	for lacks > 0 {
		best, least := -1, 0.0
		for i := range r.pool {
			h := &r.pool[i]
			if slices.Contains(taken, h) || h.job != first && !may(h) {
				continue
			}
			x := by.Score(v, h.job, h.key, h.use, lacks)
			if h.job == first {
				best = i
				break
			}
			if best < 0 || x < least || x == least && h.key > r.pool[best].key {
				best, least = i, x
			}
		}
		if best < 0 {
			return nil
		}
		taken = append(taken, &r.pool[best])
		lacks -= r.pool[best].use
	}
	out := make([]sim.JobID, len(taken))
	for i, h := range taken {
		out[i] = h.job
	}
	slices.Sort(out)
	return out
}

// needed is a set without the jobs that the others of it make up for.
func (r *request) needed(set []sim.JobID) []sim.JobID {
	spare := -r.lacks
	for i := range r.pool {
		if slices.Contains(set, r.pool[i].job) {
			spare += r.pool[i].use
		}
	}
	var out []sim.JobID
	for _, j := range set {
		i := slices.IndexFunc(r.pool, func(h holder) bool { return h.job == j })
		if use := r.pool[i].use; use <= spare {
			spare -= use
			continue
		}
		out = append(out, j)
	}
	return out
}

// soonest is the next checkpoint of a job that may go; sim.Never where there is none.
func (r *request) soonest() sim.Time {
	at := sim.Never
	for i := range r.pool {
		at = min(at, r.pool[i].due)
	}
	return at
}
