package queueing

import (
	"slices"

	"tarry/sim"
)

// step is what is free, in thousandths of GPUs, from at until the next step.
type step struct {
	at   sim.Time
	free int64
}

// profile is the availability that lies ahead, as steps in time order; the last one lasts for ever.
type profile []step

// reset makes n thousandths free from now on.
func (p *profile) reset(now sim.Time, n int64) { *p = append((*p)[:0], step{now, n}) }

// trim forgets what lies before now.
func (p *profile) trim(now sim.Time) {
	i := 0
	for i+1 < len(*p) && (*p)[i+1].at <= now {
		i++
	}
	*p = slices.Delete(*p, 0, i)
	(*p)[0].at = max((*p)[0].at, now)
}

// take subtracts n over [from, to); a negative n gives back. from must not lie before the profile.
func (p *profile) take(from, to sim.Time, n int64) {
	i, k := p.cut(from), p.cut(to)
	for x := i; x < k; x++ {
		(*p)[x].free -= n
	}
	p.join(k)
	p.join(i)
}

// cut makes a step begin at t and gives its index.
func (p *profile) cut(t sim.Time) int {
	i, ok := slices.BinarySearchFunc(*p, t, func(s step, t sim.Time) int {
		switch {
		case s.at < t:
			return -1
		case s.at > t:
			return 1
		}
		return 0
	})
	if !ok {
		*p = slices.Insert(*p, i, step{t, (*p)[i-1].free})
	}
	return i
}

// join removes step i if it changes nothing.
func (p *profile) join(i int) {
	if i > 0 && i < len(*p) && (*p)[i].free == (*p)[i-1].free {
		*p = slices.Delete(*p, i, i+1)
	}
}

// hole is the earliest instant from the profile's start on at which n are free for d; Never when
// so much is never free.
func (p profile) hole(d sim.Time, n int64) sim.Time {
	at, ok := sim.Never, false
	for _, s := range p {
		if ok && s.at >= later(at, d) {
			return at
		}
		switch {
		case s.free < n:
			ok = false
		case !ok:
			at, ok = s.at, true
		}
	}
	if !ok {
		return sim.Never
	}
	return at
}

// later is at + d, or Never where that is beyond it: jobs that run for ever queue up behind each other.
func later(at, d sim.Time) sim.Time {
	if at > sim.Never-d {
		return sim.Never
	}
	return at + d
}
