package market

import (
	"cmp"
	"math/bits"
	"slices"
)

// schedule is a window written out.
type schedule struct {
	in     []set // by round, of jobs
	bits   []uint64
	free   []int // GPUs of each round
	counts []int
	line   []int // scratch: jobs or rounds
	weight []float64
	out    [][]int
	sums   []float64 // weight of each round
	exchange
}

// set is a set of small numbers.
type set []uint64

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) drop(i int)     { s[i>>6] &^= 1 << (i & 63) }

// Order puts the counts of a solution into rounds: out[r] lists the jobs of round r by their index.
// It makes the sum over jobs of priority x the mean of their rounds small, so that what has
// priority runs early. What fits into no round although the counts do (an eight-GPU job fills one
// of two rounds of eight, a four-GPU job wants both) is left out, and the room goes to the rounds
// of other jobs that gain most. It gives the counts that came of it and their value. All are
// valid until the next call.
func (s *Solver) Order(p *Problem, rounds []int, priority []float64) (out [][]int, counts []int, value float64) {
	d := &s.plan
	n := len(p.Jobs)
	d.in, d.bits = sets(d.in, d.bits, p.Rounds, n)
	d.free = slices.Grow(d.free[:0], p.Rounds)[:p.Rounds]
	for r := range d.free {
		d.free[r] = p.GPUs
	}
	d.counts = slices.Grow(d.counts[:0], n)[:n]
	clear(d.counts)
	d.pack(p, rounds)
	d.top(p, s.steps)
	d.weigh(priority)
	d.permute(p)
	d.swaps(p)
	value, _ = p.objective(d.counts)
	return d.lists(p), d.counts, value
}

// pack gives jobs, the widest first and of these the ones with most rounds, the rounds that have
// most room.
func (d *schedule) pack(p *Problem, rounds []int) {
	jobs := d.line[:0]
	for i := range p.Jobs {
		jobs = append(jobs, i)
	}
	slices.SortFunc(jobs, func(a, b int) int {
		return cmp.Or(p.Jobs[b].GPUs-p.Jobs[a].GPUs, rounds[b]-rounds[a], a-b)
	})
	for _, i := range jobs {
		if rounds[i] == p.Rounds {
			d.addAll(p, i)
			continue
		}
		for range rounds[i] {
			if !d.add(p, i) {
				break
			}
		}
	}
	d.line = jobs
}

// add gives a job one more round, the one with most room; false = there is none.
func (d *schedule) add(p *Problem, i int) bool {
	best := -1
	for r, room := range d.free {
		if room >= p.Jobs[i].GPUs && !d.in[r].has(i) && (best < 0 || room > d.free[best]) {
			best = r
		}
	}
	if best < 0 {
		return false
	}
	d.in[best].add(i)
	d.free[best] -= p.Jobs[i].GPUs
	d.counts[i]++
	return true
}

// addAll gives a job that has none each round that has room.
func (d *schedule) addAll(p *Problem, i int) {
	g := p.Jobs[i].GPUs
	for r, room := range d.free {
		if room >= g {
			d.in[r].add(i)
			d.free[r] -= g
			d.counts[i]++
		}
	}
}

// top uses the room that is left, by the steps that gain most.
func (d *schedule) top(p *Problem, steps []step) {
	room := 0
	for _, f := range d.free {
		room += f
	}
	for i := range steps {
		t := &steps[i]
		if room == 0 || t.worth <= 0 {
			return
		}
		if t.nth == d.counts[t.job]+1 && p.Jobs[t.job].GPUs <= room && d.add(p, t.job) {
			room -= p.Jobs[t.job].GPUs
		}
	}
}

// weigh sets the gain of one round earlier for a job.
func (d *schedule) weigh(priority []float64) {
	d.weight = d.weight[:0]
	for i, n := range d.counts {
		d.weight = append(d.weight, priority[i]/float64(max(n, 1)))
	}
}

// sets gives n empty sets of numbers below size.
func sets(of []set, words []uint64, n, size int) ([]set, []uint64) {
	one := (size + 63) / 64
	of, words = resize(of, n), resize(words, n*one)
	clear(words)
	for r := range of {
		of[r] = words[r*one : (r+1)*one]
	}
	return of, words
}

// permute puts the rounds with most weight first.
func (d *schedule) permute(p *Problem) {
	d.sums = resize(d.sums, p.Rounds)
	for r, in := range d.in {
		w := 0.0
		for k, word := range in {
			for ; word != 0; word &= word - 1 {
				w += d.weight[k<<6+bits.TrailingZeros64(word)]
			}
		}
		d.sums[r] = w
	}
	for a := range p.Rounds { // few
		best := a
		for b := a + 1; b < p.Rounds; b++ {
			if d.sums[b] > d.sums[best] {
				best = b
			}
		}
		d.sums[a], d.sums[best] = d.sums[best], d.sums[a]
		d.free[a], d.free[best] = d.free[best], d.free[a]
		d.in[a], d.in[best] = d.in[best], d.in[a]
	}
}

// lists writes the rounds down.
func (d *schedule) lists(p *Problem) [][]int {
	d.out = slices.Grow(d.out[:0], p.Rounds)[:p.Rounds]
	for r, in := range d.in {
		d.out[r] = d.out[r][:0]
		for k, word := range in {
			for ; word != 0; word &= word - 1 {
				d.out[r] = append(d.out[r], k<<6+bits.TrailingZeros64(word))
			}
		}
	}
	return d.out
}
