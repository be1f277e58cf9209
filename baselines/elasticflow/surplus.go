package elasticflow

import (
	"math"

	"tarry/sim"
)

// surplus gives out the GPUs that no plan needs now. First each job that has none gets its least
// number, by deadline, jobs without one last and running jobs before waiting ones. Then the
// next level goes to the job for which it costs the least GPU time for each GPU, or the most, as
// the authors' program sorts; it is asked again after each step, until nothing fits.
func (p *Policy) surplus(v *sim.View) {
	free := p.free.at(p.now)
	for i := 0; i < len(p.members) && free > 0; i++ {
		free = p.first(p.members[i], free)
	}
	p.bestEffort(v, free)
	free = p.free.at(p.now)
	p.growing = p.growing[:0]
	for m := range p.each {
		if m.stale = true; m.gpus > 0 && m.gpus < m.most() {
			p.growing = append(p.growing, m)
		}
	}
	for free > 0 {
		var best *member
		for _, m := range p.growing {
			n := m.above(m.gpus)
			if n == 0 || n-m.gpus > free {
				continue
			}
			if m.stale {
				p.try(m, n)
			}
			if !math.IsNaN(m.value) && (best == nil || p.cfg.most && m.value > best.value || !p.cfg.most &&
				m.value < best.value) {
				best = m
			}
		}
		if best == nil {
			return
		}
		free = p.adopt(best)
		for _, m := range p.growing {
			m.stale = true
		}
	}
}

// first gives a job that has none its least number, if that is free and it still ends in time.
func (p *Policy) first(m *member, free int32) int32 {
	if m.gpus > 0 || m.levels[0] > free {
		return free
	}
	if p.try(m, m.levels[0]); math.IsNaN(m.value) {
		return free
	}
	return p.adopt(m)
}

// adopt puts a trial in force, and gives what is free now.
func (p *Policy) adopt(m *member) int32 {
	if len(m.plan) > 0 {
		p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, 1, p.now)
	}
	m.plan, m.trial = m.trial, m.plan
	p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, -1, p.now)
	m.gpus = m.plan.at(p.now)
	return p.free.at(p.now)
}

// try plans a job with n GPUs from now to the next change of what is free to it, and its minimum
// satisfactory share after that. Its value is the GPU time added for each GPU, NaN where it would
// not end in time.
func (p *Policy) try(m *member, n int32) {
	if p.around = append(p.around[:0], p.free...); len(m.plan) > 0 {
		p.around = plus(p.around, p.free, m.plan, 1, p.now)
	}
	next := p.around.next(p.now)
	m.stale, m.value, m.trial = false, math.NaN(), m.trial[:0].push(p.now, n)
	rate := m.rate(n)
	end := lasts(m.left, rate)
	added := float64(float64(n)*m.left) / rate // GPU time until it ends, if it keeps them
	if had := m.rate(m.gpus); had > 0 {
		added -= float64(float64(m.gpus)*m.left) / had
	}
	switch {
	case next == sim.Never || end <= next-p.now:
		if !m.late && p.now+end > m.due() {
			return
		}
		m.trial = m.trial.push(p.clock.release(p.now+end, next), 0)
	case m.deadline == sim.Never || m.late:
		m.trial = m.trial.push(next, 0)
	default:
		left := m.left - float64(rate*float64(next-p.now))
		ok := false
		if m.trial, _, ok = p.clock.least(m, p.around, next, left, m.trial); !ok {
			return
		}
	}
	if m.deadline != sim.Never && !m.late {
		added = m.trial.gpuTime(p.now) - m.plan.gpuTime(p.now)
	}
	m.value = added / float64(n-m.gpus)
}
