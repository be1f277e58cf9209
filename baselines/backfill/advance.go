package backfill

import "tarry/sim"

// Advance moves a job that has n for d from at on in the profile to the earliest hole from an
// instant on, never later, and gives its place. What it has counts as free for it. bounds are
// holes found since nothing but Advance changed the profile, in which from is its start; nil = none
// are kept.
func (p *Profile) Advance(bounds *Bounds, from, at, d sim.Time, n int64) sim.Time {
	first := from
	if bounds != nil {
		first = max(from, bounds.From(d, n))
	}
	// A hole ends before the job's place, or reaches up to it.
	to := sim.Never
	if first <= at-d {
		to = p.hole(first, at-d+1, d, n)
	}
	if to == sim.Never {
		to = max(from, p.since(at, n))
	}
	if bounds != nil {
		bounds.Found(to, d, n)
	}
	if to >= at {
		return at
	}
	p.Take(to, min(to+d, at), n)
	freed := max(to+d, at)
	p.Take(freed, at+d, -n)
	if bounds != nil {
		bounds.freed(p, freed, at+d, n)
	}
	return to
}

// since is the earliest instant from which on n are free until at; at where they are not free just
// before it.
func (p *Profile) since(at sim.Time, n int64) sim.Time {
	if at <= p.starts[0] {
		return at
	}
	s := p.find(at - 1)
	for c, i := s.c, s.i; ; {
		k := &p.chunks[c]
		need := n - k.add
		if i == k.n-1 && k.lo >= need {
			i = -1
		}
		for i >= 0 && k.free[i] >= need {
			i--
		}
		if i < k.n-1 && (c < s.c || i < s.i) {
			at = k.at[i+1]
		}
		if i >= 0 || c == 0 {
			return at
		}
		c--
		i = p.chunks[c].n - 1
	}
}

// until is the first instant from a step on at which fewer than n are free; Never when they are
// always free from there on.
func (p *Profile) until(s step, n int64) sim.Time {
	for c, i := s.c, s.i; c < len(p.chunks); c, i = c+1, 0 {
		k := &p.chunks[c]
		need := n - k.add
		if k.lo >= need {
			continue
		}
		for ; i < k.n; i++ {
			if k.free[i] < need {
				return k.at[i]
			}
		}
	}
	return sim.Never
}
