package market

import (
	"cmp"
	"slices"
)

// schedule is a window written out.
type schedule struct {
	in     []bool // job*rounds + round
	free   []int  // GPUs of each round
	counts []int
	line   []int // scratch: jobs or rounds
	weight []float64
	out    [][]int
}

// Order puts the counts of a solution into rounds: out[r] lists the jobs of round r by their index.
// It makes the sum over jobs of priority x the mean of their rounds small, so that what has
// priority runs early. What fits into no round although the counts do (an eight-GPU job fills one
// of two rounds of eight, a four-GPU job wants both) is left out, and the room goes to the rounds
// of other jobs that gain most. It gives the counts that came of it and their value. All are
// valid until the next call.
func (s *Solver) Order(p *Problem, rounds []int, priority []float64) (out [][]int, counts []int, value float64) {
	d := &s.plan
	n := len(p.Jobs)
	d.in = slices.Grow(d.in[:0], n*p.Rounds)[:n*p.Rounds]
	clear(d.in)
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
	d.exchange(p)
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
		if room >= p.Jobs[i].GPUs && !d.in[i*p.Rounds+r] && (best < 0 || room > d.free[best]) {
			best = r
		}
	}
	if best < 0 {
		return false
	}
	d.in[i*p.Rounds+best] = true
	d.free[best] -= p.Jobs[i].GPUs
	d.counts[i]++
	return true
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

// permute puts the rounds with most weight first.
func (d *schedule) permute(p *Problem) {
	sum := func(r int) (w float64) {
		for i := range p.Jobs {
			if d.in[i*p.Rounds+r] {
				w += d.weight[i]
			}
		}
		return w
	}
	for a := range p.Rounds { // few
		best, most := a, sum(a)
		for b := a + 1; b < p.Rounds; b++ {
			if w := sum(b); w > most {
				best, most = b, w
			}
		}
		if best != a {
			d.free[a], d.free[best] = d.free[best], d.free[a]
			for i := range p.Jobs {
				x, y := &d.in[i*p.Rounds+a], &d.in[i*p.Rounds+best]
				*x, *y = *y, *x
			}
		}
	}
}

// passes bounds the exchanges.
const passes = 4

// exchange lets jobs of two rounds change places, where that brings weight forward.
func (d *schedule) exchange(p *Problem) {
	for range passes {
		moved := false
		for a := range p.Rounds {
			for b := a + 1; b < p.Rounds; b++ {
				moved = d.swap(p, a, b) || moved
			}
		}
		if !moved {
			return
		}
	}
}

// swap divides the jobs that are in one of two rounds anew: by weight per GPU into the earlier
// while they fit.
func (d *schedule) swap(p *Problem, a, b int) bool {
	d.line = d.line[:0]
	roomA, roomB, before := d.free[a], d.free[b], 0.0
	for i := range p.Jobs {
		x, y := d.in[i*p.Rounds+a], d.in[i*p.Rounds+b]
		if x == y {
			continue
		}
		d.line = append(d.line, i)
		if x {
			roomA += p.Jobs[i].GPUs
			before += d.weight[i]
		} else {
			roomB += p.Jobs[i].GPUs
		}
	}
	slices.SortFunc(d.line, func(i, j int) int {
		x, y := d.weight[i]*float64(p.Jobs[j].GPUs), d.weight[j]*float64(p.Jobs[i].GPUs)
		return cmp.Or(cmp.Compare(y, x), i-j)
	})
	after := 0.0
	for k, i := range d.line { // jobs of the later round are marked
		g := p.Jobs[i].GPUs
		if g <= roomA {
			roomA -= g
			after += d.weight[i]
			continue
		}
		roomB -= g
		d.line[k] = -1 - i
	}
	if roomB < 0 || !(after > before*(1+1e-12)) {
		return false
	}
	for _, i := range d.line {
		early := i >= 0
		if !early {
			i = -1 - i
		}
		d.in[i*p.Rounds+a], d.in[i*p.Rounds+b] = early, !early
	}
	d.free[a], d.free[b] = roomA, roomB
	return true
}

// lists writes the rounds down.
func (d *schedule) lists(p *Problem) [][]int {
	d.out = slices.Grow(d.out[:0], p.Rounds)[:p.Rounds]
	for r := range d.out {
		d.out[r] = d.out[r][:0]
		for i := range p.Jobs {
			if d.in[i*p.Rounds+r] {
				d.out[r] = append(d.out[r], i)
			}
		}
	}
	return d.out
}
