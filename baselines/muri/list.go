package muri

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// member is what is kept of a job in the system.
type member struct {
	job   sim.JobID
	class int32
	line  int // queue, where there are queues
	gpus  int32
	typ   string
	mib   int64 // memory that it needs of each GPU; 0 = not known
	alone bool  // it asks for a share of a GPU: it has no company
	key   float64
	pool  int // its pool, when it was last looked up

	chosen bool
	group  int32 // of the present choice; -1 = it has none, or waits
}

// join takes a job in that has arrived.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	a := v.Job(j).Public()
	m := &member{job: j, class: p.class(v, j), gpus: int32(v.Job(j).GPUs()), mib: int64(v.Job(j).GPUMiB()), typ: a.GPUType,
		alone: a.ShareMilli > 0 && a.ShareMilli < 1000, group: -1}
	if p.program != nil {
		p.program.Join(v, j)
	}
	p.list = append(p.list, m)
	p.of[j] = m
	p.lines.join(m)
}

// leave forgets a job.
func (p *Policy) leave(j sim.JobID) {
	m := p.of[j]
	if m == nil {
		return
	}
	delete(p.of, j)
	if p.program != nil {
		p.program.Leave(j)
	}
	p.lines.leave(m)
	i := slices.Index(p.list, m)
	p.list = slices.Delete(p.list, i, i+1)
}

// sort finds the order in which jobs are looked at: by keys, where equal ones stay as they
// are, or of the queues.
func (p *Policy) sort(v *sim.View) {
	if p.demote(v); p.cfg.limits != nil {
		p.ranked = p.lines.all(p.ranked[:0])
	} else {
		p.ranked = p.list
	}
	for i, m := range p.ranked {
		m.chosen, m.group = false, -1
		switch {
		case p.cfg.limits != nil:
			m.key = float64(i)
		case p.program != nil:
			m.key = p.program.Key(v, m.job, p.cfg.las)
		case p.cfg.las:
			m.key = float64(v.Run(m.job).Service())
		default:
			m.key = v.Run(m.job).Left()
		}
	}
	slices.SortStableFunc(p.ranked, func(a, b *member) int { return cmp.Compare(a.key, b.key) })
}
