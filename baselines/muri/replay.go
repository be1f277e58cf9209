package muri

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// charge books the interval since the last decision: each job that ran loses its group's start
// overheads of it.
func (p *Policy) charge(v *sim.View) {
	elapsed := (v.Now() - p.last).Seconds()
	p.last = v.Now()
	for _, m := range p.list {
		if m.runs {
			m.leftS = max(0, m.leftS-max(0, elapsed-m.overS)/m.stretch)
			m.heldS += elapsed
		}
	}
}

// resync makes the account of a job what the kernel has counted, where faults or checkpoints
// intervene.
func (p *Policy) resync(v *sim.View, m *member) {
	if p.cfg.simulator {
		m.leftS, m.runs = v.Run(m.job).Left()/float64(m.gpus)/1e6, false
	}
}

// replayKey is a job's key by that account, in GPU-seconds.
func (m *member) replayKey(v *sim.View, las bool) float64 {
	switch {
	case las:
		return m.heldS * float64(m.gpus)
	case !m.ran && v.Job(m.job).Request() > 0:
		return v.Job(m.job).Request().Seconds() * float64(m.gpus)
	}
	return m.leftS * float64(m.gpus)
}

// movable reports whether all jobs can be taken off and started again at once, by a placement that
// counts GPUs alone.
func (p *Policy) movable(v *sim.View) bool {
	return v.Draining() == 0 && !p.special && !slices.ContainsFunc(v.Running(),
		func(j sim.JobID) bool { return v.Run(j).CheckpointTime() > 0 })
}

// replay takes all jobs off and places the groups, the widest first. A job's delay makes up for
// what the account has charged it and the kernel has not: it ends when the time that is left by the
// account has passed at the group's pace.
func (p *Policy) replay(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, m := range p.list {
		m.runs = false
		if v.Run(m.job).State() == sim.Running {
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: m.job})
		}
	}
	p.byWidth()
	p.room.clear(v)
	p.gpus = p.gpus[:0]
	for _, i := range p.order {
		g := &p.groups[i]
		at, ok := len(p.gpus), false
		if p.gpus, ok = p.room.put(int(g.gpus), p.gpus); !ok {
			continue
		}
		gpus, over := p.gpus[at:len(p.gpus):len(p.gpus)], 0.0
		for _, m := range g.members() {
			over += p.kinds.all[m.class].overS
		}
		for _, m := range g.members() {
			m.ran, m.runs, m.overS = true, true, over
			m.stretch = g.timeS / p.kinds.all[m.class].iterS
			k := sim.Knobs{ShareMilli: p.share(m, g.n)}
			if behind := m.leftS - v.Run(m.job).Left()/float64(m.gpus)/1e6; behind > 0 {
				k.Delay = sim.Seconds(min(behind*m.stretch, maxDelayS))
			}
			out = append(out, sim.Decision{Kind: sim.Start, Job: m.job, GPUs: gpus, Knobs: k})
		}
	}
	return out
}

// maxDelayS bounds a delay, so that no sum of times overflows.
const maxDelayS = 1e11

// byWidth puts the groups in the order in which they get GPUs.
func (p *Policy) byWidth() {
	p.order = p.order[:0]
	for i := range p.groups {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.groups[b].gpus, p.groups[a].gpus) })
}
