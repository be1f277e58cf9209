package elasticflow

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// best are the jobs without a deadline. Most of them wait, often thousands; a decision looks at
// the running jobs, and of waiting ones only at such as fit into what is left.
type best struct {
	live  []*member // that run or are to have GPUs, in order of arrival
	lines []line
	begun []*member // scratch: that get GPUs now
}

// line is waiting jobs of one least number of GPUs, in order of arrival.
type line struct {
	least int32
	jobs  []*member
	at    int // the next that is looked at
}

func byID(m *member, j sim.JobID) int { return cmp.Compare(m.id, j) }

// wait lines a job up.
func (b *best) wait(m *member) {
	k := slices.IndexFunc(b.lines, func(l line) bool { return l.least == m.levels[0] })
	if k < 0 {
		k = len(b.lines)
		b.lines = append(b.lines, line{least: m.levels[0]})
	}
	l := &b.lines[k]
	i, _ := slices.BinarySearchFunc(l.jobs, m.id, byID)
	l.jobs = slices.Insert(l.jobs, i, m)
}

// drop takes a job out; it gives nil when the job is not there.
func (b *best) drop(j sim.JobID) (m *member) {
	if b.live, m = take(b.live, j); m != nil {
		return m
	}
	for i := range b.lines {
		if b.lines[i].jobs, m = take(b.lines[i].jobs, j); m != nil {
			return m
		}
	}
	return nil
}

func take(from []*member, j sim.JobID) ([]*member, *member) {
	i, ok := slices.BinarySearchFunc(from, j, byID)
	if !ok {
		return from, nil
	}
	m := from[i]
	return slices.Delete(from, i, i+1), m
}

// look takes plans back, lines up what runs no more, and asks what the others have left.
func (b *best) look(v *sim.View) {
	kept := b.live[:0]
	for _, m := range b.live {
		m.plan, m.gpus = m.plan[:0], 0
		if v.Run(m.id).State() != sim.Running {
			b.wait(m)
			continue
		}
		m.left = v.Run(m.id).Left()
		kept = append(kept, m)
	}
	b.live = kept
}

// first is the line of the job that arrived first of the jobs that are not looked at yet and need
// no more than what is free; nil = none.
func (b *best) first(free int32) (of *line) {
	for i := range b.lines {
		l := &b.lines[i]
		if l.least <= free && l.at < len(l.jobs) && (of == nil || l.jobs[l.at].id < of.jobs[of.at].id) {
			of = l
		}
	}
	return of
}

// bestEffort gives jobs without a deadline what is left now, running ones first.
func (p *Policy) bestEffort(v *sim.View, free int32) {
	b := &p.best
	for i := 0; i < len(b.live) && free > 0; i++ {
		free = p.offer(b.live[i], free)
	}
	for i := range b.lines {
		b.lines[i].at = 0
	}
	b.begun = b.begun[:0]
	for free > 0 {
		l := b.first(free)
		if l == nil {
			break
		}
		m := l.jobs[l.at]
		m.left = v.Run(m.id).Left()
		if free = p.offer(m, free); m.gpus == 0 {
			l.at++
			continue
		}
		l.jobs = slices.Delete(l.jobs, l.at, l.at+1)
		b.begun = append(b.begun, m)
	}
	b.live = append(b.live, b.begun...)
	slices.SortFunc(b.live, func(x, y *member) int { return cmp.Compare(x.id, y.id) })
}

// offer gives a job without a deadline its least number or, without surplus, all that helps it, and
// gives what is free then.
func (p *Policy) offer(m *member, free int32) int32 {
	if p.cfg.surplus {
		return p.first(m, free)
	}
	p.present(m, free)
	m.gpus = m.plan.at(p.now)
	return free - m.gpus
}

// each goes through the jobs that may have GPUs: by deadline, then those without one.
func (p *Policy) each(yield func(m *member) bool) {
	for _, m := range p.members {
		if !yield(m) {
			return
		}
	}
	for _, m := range p.best.live {
		if !yield(m) {
			return
		}
	}
}

func (b *best) clone() best {
	c := best{live: cloneAll(b.live), lines: slices.Clone(b.lines)}
	for i := range c.lines {
		c.lines[i].jobs = cloneAll(b.lines[i].jobs)
	}
	return c
}

func cloneAll(of []*member) []*member {
	out := slices.Clone(of)
	for i, m := range out {
		one := *m
		one.levels, one.rates, one.plan = slices.Clone(m.levels), slices.Clone(m.rates), slices.Clone(m.plan)
		one.fresh, one.trial = nil, nil
		out[i] = &one
	}
	return out
}
