package market

import (
	"cmp"
	"math/bits"
	"slices"
)

// passes bounds the exchanges.
const passes = 4

// exchange is what rounds change places by.
type exchange struct {
	ranked []int // jobs by weight per GPU
	rank   []int // of a job
	by     []set // the sets of rounds, of ranks
	words  []uint64
	when   []int // of each round, when its set last changed: tries are counted
	late   []int // jobs of the later round
}

// swaps lets jobs of two rounds change places, where that brings weight forward. Two rounds that are
// as they were when they were last tried are not tried again.
func (d *schedule) swaps(p *Problem) {
	d.rankJobs(p)
	d.when = resize(d.when, p.Rounds)
	clear(d.when)
	pairs, now := p.Rounds*(p.Rounds-1)/2, 0
	for pass := range passes {
		moved := false
		for a := range p.Rounds {
			for b := a + 1; b < p.Rounds; b++ {
				if now++; pass > 0 && max(d.when[a], d.when[b]) < now-pairs {
					continue
				}
				if d.swap(p, a, b) {
					moved, d.when[a], d.when[b] = true, now, now
				}
			}
		}
		if !moved {
			return
		}
	}
}

// rankJobs sorts the jobs by weight per GPU, and has the sets of rounds in that order too.
func (d *schedule) rankJobs(p *Problem) {
	d.ranked = d.ranked[:0]
	for i := range p.Jobs {
		d.ranked = append(d.ranked, i)
	}
	slices.SortFunc(d.ranked, func(i, j int) int {
		x, y := d.weight[i]*float64(p.Jobs[j].GPUs), d.weight[j]*float64(p.Jobs[i].GPUs)
		return cmp.Or(cmp.Compare(y, x), i-j)
	})
	d.rank = resize(d.rank, len(p.Jobs))
	for q, i := range d.ranked {
		d.rank[i] = q
	}
	d.by, d.words = sets(d.by, d.words, p.Rounds, len(p.Jobs))
	for r, in := range d.in {
		for k, word := range in {
			for ; word != 0; word &= word - 1 {
				d.by[r].add(d.rank[k<<6+bits.TrailingZeros64(word)])
			}
		}
	}
}

// swap divides the jobs that are in one of two rounds anew: by weight per GPU into the earlier
// while they fit.
func (d *schedule) swap(p *Problem, a, b int) bool {
	x, y := d.by[a], d.by[b]
	roomA, roomB := d.free[a], d.free[b]
	for k := range x {
		for word := x[k] ^ y[k]; word != 0; word &= word - 1 {
			g := p.Jobs[d.ranked[k<<6+bits.TrailingZeros64(word)]].GPUs
			if x[k]&word&-word != 0 {
				roomA += g
			} else {
				roomB += g
			}
		}
	}
	after := 0.0
	d.late = d.late[:0]
	for k := range x {
		for word := x[k] ^ y[k]; word != 0; word &= word - 1 {
			i := d.ranked[k<<6+bits.TrailingZeros64(word)]
			g := p.Jobs[i].GPUs
			if g <= roomA {
				roomA -= g
				after += d.weight[i]
				continue
			}
			if roomB -= g; roomB < 0 {
				return false
			}
			d.late = append(d.late, i)
		}
	}
	if !(after > d.heavier(a, b)*(1+1e-12)) {
		return false
	}
	d.divide(a, b)
	d.free[a], d.free[b] = roomA, roomB
	return true
}

// heavier is the weight of the jobs that are in the first of two rounds alone.
func (d *schedule) heavier(a, b int) (w float64) {
	y := d.in[b]
	for k, x := range d.in[a] {
		for word := x &^ y[k]; word != 0; word &= word - 1 {
			w += d.weight[k<<6+bits.TrailingZeros64(word)]
		}
	}
	return w
}

// divide puts the late of the jobs that are in one of two rounds into the second, the others into
// the first.
func (d *schedule) divide(a, b int) {
	for _, of := range [2][]set{d.in, d.by} {
		x, y := of[a], of[b]
		for k := range x {
			both := x[k] & y[k]
			x[k], y[k] = x[k]|y[k], both
		}
	}
	for _, i := range d.late {
		q := d.rank[i]
		d.in[a].drop(i)
		d.in[b].add(i)
		d.by[a].drop(q)
		d.by[b].add(q)
	}
}
