package backfill

import (
	"slices"

	"tarry/sim"
)

// Profile is the availability that lies ahead, as steps in time order: what is free, in thousandths
// of GPUs, from the instant of a step until the next; the last one lasts for ever. Steps lie in
// chunks that keep their most and their least, so that taking and looking for a hole cost the steps
// of two chunks and the number of chunks.
type Profile struct {
	chunks []chunk
	starts []sim.Time // chunk -> its first step
	spare  []*stretch
}

const chunkSteps = 64

// chunk is some steps; add belongs to what is free in all of them.
type chunk struct {
	n   int
	add int64
	lo  int64 // at most the least of free
	hi  int64 // at least the most of free
	*stretch
}

// stretch is the memory of a chunk.
type stretch struct {
	at   [chunkSteps]sim.Time
	free [chunkSteps]int64
}

// step is a place in the profile.
type step struct{ c, i int }

// Empty reports whether Reset was never called.
func (p *Profile) Empty() bool { return len(p.chunks) == 0 }

// Reset makes n thousandths free from now on.
func (p *Profile) Reset(now sim.Time, n int64) {
	for _, k := range p.chunks {
		p.spare = append(p.spare, k.stretch)
	}
	p.chunks, p.starts = p.chunks[:0], p.starts[:0]
	k := p.insertChunk(0, now)
	k.n, k.at[0], k.free[0], k.lo, k.hi = 1, now, n, n, n
}

// insertChunk makes an empty chunk.
func (p *Profile) insertChunk(c int, from sim.Time) *chunk {
	var k chunk
	if n := len(p.spare); n > 0 {
		k.stretch, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		k.stretch = new(stretch)
	}
	p.chunks, p.starts = slices.Insert(p.chunks, c, k), slices.Insert(p.starts, c, from)
	return &p.chunks[c]
}

func (p *Profile) dropChunk(c int) {
	p.spare = append(p.spare, p.chunks[c].stretch)
	p.chunks, p.starts = slices.Delete(p.chunks, c, c+1), slices.Delete(p.starts, c, c+1)
}

// Trim forgets what lies before now.
func (p *Profile) Trim(now sim.Time) {
	for len(p.chunks) > 1 && p.starts[1] <= now {
		p.dropChunk(0)
	}
	k, i := &p.chunks[0], 0
	for i+1 < k.n && k.at[i+1] <= now {
		i++
	}
	k.cut(0, i)
	k.at[0] = max(k.at[0], now)
	p.starts[0] = k.at[0]
}

// cut removes the steps i to j; lo and hi stay bounds.
func (k *chunk) cut(i, j int) {
	copy(k.at[i:k.n], k.at[j:k.n])
	copy(k.free[i:k.n], k.free[j:k.n])
	k.n -= j - i
}

// Take subtracts n over [from, to); a negative n gives back. from must not lie before the profile.
func (p *Profile) Take(from, to sim.Time, n int64) {
	a, chunks := p.begin(from), len(p.chunks)
	b := p.begin(to)
	if len(p.chunks) != chunks { // a chunk was divided
		a = p.find(from)
	}
	for c := a.c; c <= b.c; c++ {
		k, i, j := &p.chunks[c], 0, p.chunks[c].n
		if c == a.c {
			i = a.i
		}
		if c == b.c {
			j = b.i
		}
		k.take(i, j, n)
	}
	chunks = len(p.chunks)
	p.join(b)
	if len(p.chunks) != chunks { // one was dropped or merged
		a = p.find(from)
	}
	p.join(a)
}

// take subtracts n from the steps i to j.
func (k *chunk) take(i, j int, n int64) {
	if i == j {
		return
	}
	if i == 0 && j == k.n {
		k.add -= n
		return
	}
	for x := i; x < j; x++ {
		k.free[x] -= n
	}
	k.lo, k.hi = k.free[0], k.free[0]
	for _, f := range k.free[1:k.n] {
		k.lo, k.hi = min(k.lo, f), max(k.hi, f)
	}
}

// find is the last step that begins at t or before.
func (p *Profile) find(t sim.Time) step {
	c, end := 0, len(p.starts) // starts[c] <= t, and t < starts[end] where there is one
	for end-c > 1 {
		if m := int(uint(c+end) / 2); p.starts[m] <= t {
			c = m
		} else {
			end = m
		}
	}
	k := &p.chunks[c]
	i, j := 0, k.n // the same of its steps
	for j-i > 1 {
		if m := int(uint(i+j) / 2); k.at[m] <= t {
			i = m
		} else {
			j = m
		}
	}
	return step{c, i}
}

// begin makes a step begin at t and gives its place.
func (p *Profile) begin(t sim.Time) step {
	s := p.find(t)
	k := &p.chunks[s.c]
	if k.at[s.i] == t {
		return s
	}
	if k.n == chunkSteps {
		p.divide(s.c)
		if n := p.chunks[s.c].n; s.i >= n {
			s = step{s.c + 1, s.i - n}
		}
		k = &p.chunks[s.c]
	}
	s.i++
	copy(k.at[s.i+1:k.n+1], k.at[s.i:k.n])
	copy(k.free[s.i+1:k.n+1], k.free[s.i:k.n])
	k.at[s.i], k.free[s.i] = t, k.free[s.i-1]
	k.n++
	return s
}

// divide moves the second half of a chunk into one of its own.
func (p *Profile) divide(c int) {
	k := &p.chunks[c]
	half := k.n / 2
	r := p.insertChunk(c+1, k.at[half])
	k = &p.chunks[c]
	r.add, r.lo, r.hi = k.add, k.lo, k.hi
	r.n = copy(r.at[:], k.at[half:k.n])
	copy(r.free[:], k.free[half:k.n])
	k.n = half
}

// join removes a step if it changes nothing, and then a chunk that is nearly empty.
func (p *Profile) join(s step) {
	k := &p.chunks[s.c]
	var before int64
	switch {
	case s.i > 0:
		before = k.free[s.i-1] + k.add
	case s.c > 0:
		l := p.chunks[s.c-1]
		before = l.free[l.n-1] + l.add
	default:
		return
	}
	if k.free[s.i]+k.add != before {
		return
	}
	k.cut(s.i, s.i+1)
	switch {
	case k.n == 0:
		p.dropChunk(s.c)
		return
	case s.i == 0:
		p.starts[s.c] = k.at[0]
	}
	if s.c > 0 && p.chunks[s.c-1].n+k.n <= chunkSteps/2 {
		p.merge(s.c - 1)
	}
}

// merge appends to a chunk the next one.
func (p *Profile) merge(c int) {
	k, r := &p.chunks[c], &p.chunks[c+1]
	by := r.add - k.add
	for i := range r.n {
		k.at[k.n+i], k.free[k.n+i] = r.at[i], r.free[i]+by
	}
	k.n += r.n
	k.lo, k.hi = min(k.lo, r.lo+by), max(k.hi, r.hi+by)
	p.dropChunk(c + 1)
}

// Hole is the earliest instant from the profile's start on at which n are free for d; Never when
// so much is never free.
func (p *Profile) Hole(d sim.Time, n int64) sim.Time { return p.HoleFrom(0, d, n) }

// HoleFrom is Hole from an instant on.
func (p *Profile) HoleFrom(from, d sim.Time, n int64) sim.Time { return p.hole(from, sim.Never, d, n) }

// hole is the earliest instant from one on, and before another, at which n are free for d; Never
// where there is none.
func (p *Profile) hole(from, before, d sim.Time, n int64) sim.Time {
	at, end, ok, first := sim.Never, before, false, step{} // while ok, n are free from at on
	if from > p.starts[0] {
		first = p.find(from)
	}
	for c := first.c; c < len(p.chunks) && p.starts[c] < end; c++ {
		k := &p.chunks[c]
		need, i := n-k.add, first.i
		first.i = 0
		switch {
		case k.hi < need:
			ok, end = false, before
			continue
		case k.lo >= need:
			if !ok {
				at, ok = max(from, p.starts[c]), true
				end = Later(at, d)
			}
			continue
		}
		for ; i < k.n; i++ {
			switch free := k.free[i]; {
			case free < need:
				if ok && k.at[i] >= end {
					return at
				}
				ok = false
			case !ok:
				if at = max(from, k.at[i]); at >= before {
					return sim.Never
				}
				ok, end = true, Later(at, d)
			}
		}
		if !ok {
			end = before
		}
	}
	if !ok {
		return sim.Never
	}
	return at
}

// Until is the first instant at which fewer than n are free, the profile's start when they are not
// free then; Never when n are always free.
func (p *Profile) Until(n int64) sim.Time { return p.until(step{}, n) }

// Later is at + d, or Never where that is beyond it: jobs that run for ever queue up behind each
// other.
func Later(at, d sim.Time) sim.Time {
	if at > sim.Never-d {
		return sim.Never
	}
	return at + d
}

// Clone gives an independent copy.
func (p *Profile) Clone() Profile {
	c := Profile{starts: slices.Clone(p.starts)}
	for _, k := range p.chunks {
		own := *k.stretch
		k.stretch = &own
		c.chunks = append(c.chunks, k)
	}
	return c
}
