package muri

import (
	"math"
	"slices"

	"tarry/sim"
)

// lines are the queues of discretised two-dimensional LAS: a job enters the first, and goes to the
// end of the next when the GPU-time that it has attained reaches the limit of its own.
type lines [][]*member

func (l lines) join(m *member) {
	if len(l) > 0 {
		l[0] = append(l[0], m)
	}
}

func (l lines) leave(m *member) {
	if len(l) > 0 {
		i := slices.Index(l[m.line], m)
		l[m.line] = slices.Delete(l[m.line], i, i+1)
	}
}

// all appends the queues one after the other.
func (l lines) all(dst []*member) []*member {
	for _, line := range l {
		dst = append(dst, line...)
	}
	return dst
}

// slackS is how much earlier than at its limit a job is demoted: the clock counts microseconds.
const slackS = 2e-6

// demote moves the running jobs that have reached the limit of their queue, each by one queue.
func (p *Policy) demote(v *sim.View) {
	for _, m := range p.list {
		if m.line >= len(p.cfg.limits) {
			continue
		}
		if s, holds := p.held(v, m); !holds || s < p.cfg.limits[m.line]/float64(m.gpus)-slackS {
			continue
		}
		p.lines.leave(m)
		m.line++
		p.lines[m.line] = append(p.lines[m.line], m)
	}
}

// held is how long a job has held its GPUs, and whether it held some until now.
func (p *Policy) held(v *sim.View, m *member) (s float64, holds bool) {
	if p.program != nil {
		return p.program.Held(m.job)
	}
	return v.Run(m.job).Service().Seconds() / float64(m.gpus), v.Run(m.job).State() == sim.Running
}

// requeue moves the jobs that wait behind the running jobs of their queue, and asks to decide when
// the next of these reaches its limit. As in the authors' program that is rounded up to whole
// seconds from the job's start.
func (p *Policy) requeue(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cfg.limits == nil {
		return out
	}
	next := math.Inf(1)
	for q, line := range p.lines {
		p.waits = p.waits[:0]
		n := 0
		for _, m := range line {
			held, runs := p.held(v, m)
			if p.program == nil {
				runs = m.group >= 0
			}
			if !runs {
				p.waits = append(p.waits, m)
				continue
			}
			line[n] = m
			if n++; q < len(p.cfg.limits) {
				next = min(next, math.Ceil(p.cfg.limits[q]/float64(m.gpus))-held)
			}
		}
		copy(line[n:], p.waits)
	}
	if p.limit = sim.Never; !math.IsInf(next, 1) {
		p.limit = v.Now() + max(1, sim.Time(math.Ceil(next*1e6-1e-3)))
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: p.limit})
	}
	return out
}
