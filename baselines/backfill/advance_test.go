package backfill

import (
	"math/rand/v2"
	"testing"

	"tarry/sim"
)

// Reservations that move ahead in order, with bounds and without, go where taking each out of a
// plain list and looking from now on puts it, and leave its steps; and many move.
func TestAdvanceAgainstTakingOut(t *testing.T) {
	moved, all := 0, 0
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 0xadc))
		span := 2 + r.IntN(300)
		var p Profile
		var b *Bounds
		if seed%4 > 0 {
			b = new(Bounds)
		}
		now := sim.Time(r.IntN(50))
		p.Reset(now, 8000)
		q := plain{{now, 8000}}
		type job struct {
			at, d sim.Time
			n     int64
		}
		var jobs []job
		for range 200 {
			j := job{d: sim.Time(1 + r.IntN(span)), n: []int64{500, 1000, 1000, 2000, 4000, 8000}[r.IntN(6)]}
			j.at = p.Hole(j.d, j.n)
			p.Take(j.at, j.at+j.d, j.n)
			q.take(j.at, j.at+j.d, j.n)
			if jobs = append(jobs, j); r.IntN(4) > 0 {
				continue
			}
			i := r.IntN(len(jobs)) // it ends early
			p.Take(jobs[i].at, jobs[i].at+jobs[i].d, -jobs[i].n)
			q.take(jobs[i].at, jobs[i].at+jobs[i].d, -jobs[i].n)
			jobs = append(jobs[:i], jobs[i+1:]...)
			if b != nil {
				b.Reset()
			}
			for i := range jobs {
				j := &jobs[i]
				from := now
				if b == nil {
					from = min(j.at, now+sim.Time(r.IntN(span)))
				}
				q.take(j.at, j.at+j.d, -j.n)
				want := q.hole(from, j.d, j.n)
				q.take(want, want+j.d, j.n)
				got := p.Advance(b, from, j.at, j.d, j.n)
				if got != want {
					t.Fatalf("seed %d: %d for %v moves from %v to %v, want %v", seed, j.n, j.d, j.at, got, want)
				}
				if all++; got < j.at {
					moved++
				}
				j.at = got
			}
			if got := p.list(t); len(got) != len(q) {
				t.Fatalf("seed %d: steps %v, want %v", seed, got, q)
			}
			for i, s := range p.list(t) {
				if s != q[i] {
					t.Fatalf("seed %d: step %d is %v, want %v", seed, i, s, q[i])
				}
			}
		}
	}
	if moved*10 < all {
		t.Errorf("%d of %d reservations moved", moved, all)
	}
}
