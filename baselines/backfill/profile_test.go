package backfill

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// plainStep and plain are the profile as published: one list of steps, each of which is looked at.
type plainStep struct {
	at   sim.Time
	free int64
}

type plain []plainStep

func (p *plain) trim(now sim.Time) {
	i := 0
	for i+1 < len(*p) && (*p)[i+1].at <= now {
		i++
	}
	*p = slices.Delete(*p, 0, i)
	(*p)[0].at = max((*p)[0].at, now)
}

func (p *plain) take(from, to sim.Time, n int64) {
	i, k := p.cut(from), p.cut(to)
	for x := i; x < k; x++ {
		(*p)[x].free -= n
	}
	p.join(k)
	p.join(i)
}

func (p *plain) cut(t sim.Time) int {
	i := 0
	for i < len(*p) && (*p)[i].at < t {
		i++
	}
	if i == len(*p) || (*p)[i].at != t {
		*p = slices.Insert(*p, i, plainStep{t, (*p)[i-1].free})
	}
	return i
}

func (p *plain) join(i int) {
	if i > 0 && i < len(*p) && (*p)[i].free == (*p)[i-1].free {
		*p = slices.Delete(*p, i, i+1)
	}
}

func (p plain) hole(from, d sim.Time, n int64) sim.Time {
	at, ok := sim.Never, false
	for _, s := range p {
		if ok && s.at >= Later(at, d) {
			return at
		}
		switch {
		case s.free < n:
			ok = false
		case !ok:
			at, ok = max(from, s.at), true
		}
	}
	if !ok {
		return sim.Never
	}
	return at
}

func (p plain) until(n int64) sim.Time {
	for _, s := range p {
		if s.free < n {
			return s.at
		}
	}
	return sim.Never
}

// list gives the steps of a profile; lo and hi of every chunk must be bounds.
func (p *Profile) list(t *testing.T) (out plain) {
	t.Helper()
	for c, k := range p.chunks {
		if k.n == 0 || p.starts[c] != k.at[0] {
			t.Fatalf("chunk %d has %d steps from %v, listed at %v", c, k.n, k.at[0], p.starts[c])
		}
		for i := range k.n {
			if k.free[i] < k.lo || k.free[i] > k.hi {
				t.Fatalf("chunk %d has %d free, outside %d..%d", c, k.free[i], k.lo, k.hi)
			}
			out = append(out, plainStep{k.at[i], k.free[i] + k.add})
		}
	}
	return out
}

// Chunks change nothing: any reservations, moves and ends leave the steps, and give the holes, of
// the plain list.
func TestProfileAgainstPlain(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		var p Profile
		now := sim.Time(r.IntN(100))
		p.Reset(now, 64)
		q := plain{{now, 64}}
		var held [][3]int64
		span := 1 + r.IntN(2000)
		for range 1500 {
			switch n := r.IntN(10); {
			case n == 0:
				now += sim.Time(r.IntN(span))
				p.Trim(now)
				q.trim(now)
				held = slices.DeleteFunc(held, func(h [3]int64) bool { return h[0] < int64(now) })
			case n == 1 && seed%2 == 0:
				c := p.Clone()
				p.Take(now, now+7, 1) // the copy must not see it
				p = c
			case n < 5 && len(held) > 0:
				i := r.IntN(len(held))
				h := held[i]
				p.Take(sim.Time(h[0]), sim.Time(h[1]), -h[2])
				q.take(sim.Time(h[0]), sim.Time(h[1]), -h[2])
				held = slices.Delete(held, i, i+1)
			default:
				d, need := sim.Time(1+r.IntN(span)), int64(1+r.IntN(40)*r.IntN(2))
				at := p.Hole(d, need)
				if want := q.hole(0, d, need); at != want {
					t.Fatalf("seed %d: %d free for %v from %v on, expected %v", seed, need, d, at, want)
				}
				from := now + sim.Time(r.IntN(2*span))
				if got, want := p.HoleFrom(from, d, need), q.hole(from, d, need); got != want {
					t.Fatalf("seed %d: from %v on %d free for %v at %v, expected %v", seed, from, need, d, got, want)
				}
				if got, want := p.Until(need), q.until(need); got != want {
					t.Fatalf("seed %d: %d free until %v, expected %v", seed, need, got, want)
				}
				p.Take(at, at+d, need)
				q.take(at, at+d, need)
				held = append(held, [3]int64{int64(at), int64(at + d), need})
			}
			if got := p.list(t); !slices.Equal(got, q) {
				t.Fatalf("seed %d: steps %v, expected %v", seed, got, q)
			}
		}
	}
}
