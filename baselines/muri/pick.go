package muri

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/stages"
)

// group is a set of jobs on the same GPUs.
type group struct {
	jobs  [stages.Most]*member
	n     int
	gpus  int32
	mib   int64   // that the jobs need of each GPU
	key   float64 // of the best job
	timeS float64
	stays sim.JobID // on whose GPUs the group stays
}

func (g *group) members() []*member { return g.jobs[:g.n] }

// classesOf appends the classes of the jobs.
func (g *group) classesOf(dst []int32) []int32 {
	for _, m := range g.members() {
		dst = append(dst, m.class)
	}
	return dst
}

// pool is a number of GPUs and a type: its jobs may be grouped, except jobs that ask for a share,
// of which each is alone.
type pool struct {
	gpus   int32
	typ    string
	alone  bool
	jobs   []*member // all of the list, in its order
	next   int       // the first that is not chosen
	groups []group
	last   []matched // blocks of the last decision, round by round
	blocks int       // of them this decision has come to
}

// divide sorts the ranked jobs into pools.
func (p *Policy) divide() {
	for i := range p.pools {
		q := &p.pools[i]
		q.jobs, q.next, q.groups = q.jobs[:0], 0, q.groups[:0]
	}
	for _, m := range p.ranked {
		p.pool(m) // there may be more pools then
	}
	p.turns = p.turns[:0]
	for _, m := range p.ranked {
		q := p.pool(m)
		if len(q.jobs) == 0 {
			p.turns = append(p.turns, m.pool)
		}
		q.jobs = append(q.jobs, m)
	}
}

// pool gives the pool of a job, made where there is none.
func (p *Policy) pool(m *member) *pool {
	if m.pool < len(p.pools) {
		if q := &p.pools[m.pool]; q.gpus == m.gpus && q.alone == m.alone && q.typ == m.typ {
			return q
		}
	}
	i, ok := p.poolOf(m)
	if !ok {
		p.pools = slices.Insert(p.pools, i, pool{gpus: m.gpus, typ: m.typ, alone: m.alone})
	}
	m.pool = i
	return &p.pools[i]
}

// poolOf is the place of a job's pool, where it is or is to be.
func (p *Policy) poolOf(m *member) (int, bool) {
	return slices.BinarySearchFunc(p.pools, m, func(q pool, m *member) int {
		if c := cmp.Or(cmp.Compare(q.gpus, m.gpus), cmp.Compare(q.typ, m.typ)); c != 0 || q.alone == m.alone {
			return c
		}
		if m.alone {
			return -1
		}
		return 1
	})
}

// pick chooses the candidates, each a group of its own, and gives the number of GPUs that they
// need.
func (p *Policy) pick(v *sim.View) (demand int) {
	p.divide()
	p.clear(v)
	for _, m := range p.ranked {
		if m.chosen || !p.take(m.gpus, m.typ) {
			continue
		}
		q, most := p.pool(m), p.cfg.most
		if m.alone {
			most = 1
		}
		for range min(most, len(q.jobs)-q.next) {
			c := q.jobs[q.next]
			q.next++
			c.chosen = true
			q.groups = append(q.groups, group{jobs: [stages.Most]*member{c}, n: 1, gpus: c.gpus, mib: c.mib,
				key: c.key})
			demand += int(c.gpus)
		}
	}
	return demand
}
