package allox

import (
	"cmp"
	"math"
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
)

// match is the memory of a matching.
type match struct {
	batch assign.Batch
	jobs  []int     // places in the queue of the jobs that take part
	times []float64 // GPU-time of each waiting job on each type, s; +Inf = not there
	short [][]int   // of each type, the shortest jobs, and how many of them were looked at
	seen  []int
	in    []bool    // of the queue: takes part
	avail []float64 // of each GPU that counts, and its type
	class []int
	ends  []ending
	first []int
	began []begun
	up    []int  // of each type, GPUs that are idle or in use
	shut  []bool // of each type: a gang keeps what is idle, at this instant
}

// begun is a job that comes first on an idle GPU of a type.
type begun struct {
	job sim.JobID
	ending
}

// ending is GPUs that come free.
type ending struct {
	at   float64
	typ  int
	gpus int
}

// solve matches the jobs of admitted users and starts the first ones on an idle GPU.
func (p *Policy) solve(v *sim.View, out []sim.Decision) []sim.Decision {
	m := &p.match
	p.times(v)
	p.choose()
	if len(m.jobs) == 0 {
		return out
	}
	p.machines(v, len(m.jobs))
	m.batch.Begin(m.avail, m.class, p.types)
	added := m.jobs[:0]
	slices.Reverse(m.jobs) // of equal jobs, the last added comes first
	for _, i := range m.jobs {
		if m.batch.Add(m.times[i*p.types : (i+1)*p.types]) {
			added = append(added, i)
		}
	}
	m.jobs = added
	m.first = m.batch.First(m.first)
	return p.begin(v, out)
}

// times computes how long each waiting job would hold one GPU of each type.
func (p *Policy) times(v *sim.View) {
	m := &p.match
	m.times = m.times[:0]
	f := v.Free()
	m.up = resize(m.up, p.types)
	for i := range m.up {
		m.up[i] = f.Type(i).Total()
	}
	for _, h := range p.running {
		if h.fresh {
			m.up[h.typ] += h.gpus
			continue
		}
		for _, g := range v.Run(h.job).Held() {
			m.up[p.typeOf[v.Topology().Machine(g)]]++
		}
	}
	for i := range p.queue {
		w := &p.queue[i]
		left := p.left(v, w.job)
		for t, r := range w.rate {
			x := math.Inf(1)
			if g := int(w.demand.GPUs); r > 0 && g <= m.up[t] {
				x = left / r * float64(g)
			}
			m.times = append(m.times, x)
		}
	}
}

// left is the work that a job has left, in seconds of one reference GPU.
func (p *Policy) left(v *sim.View, j sim.JobID) float64 {
	if p.known {
		return max(v.Run(j).Left()/1e6, 1e-6)
	}
	// ms: the last bits of what is done follow from what is left
	x := math.Round((v.Job(j).Estimate() - v.Run(j).Done()) / 1e3)
	if !(x < 1e18) {
		return 1e15
	}
	return max(x/1e3, 1)
}

// choose lists the jobs that take part: jobs of admitted users that can run or, of more than cap,
// the shortest on each type in turn.
func (p *Policy) choose() {
	m := &p.match
	m.jobs, m.in = m.jobs[:0], resize(m.in, len(p.queue))
	able := 0
	for i := range p.queue {
		m.in[i] = p.users[p.queue[i].user].admitted && slices.Min(m.times[i*p.types:(i+1)*p.types]) < math.Inf(1)
		if m.in[i] {
			able++
		}
	}
	if able > p.cap && p.cap > 0 {
		p.shortest()
	}
	for i, in := range m.in {
		if in {
			m.jobs = append(m.jobs, i)
		}
	}
}

// shortest keeps cap of the jobs that take part.
func (p *Policy) shortest() {
	m := &p.match
	m.short = resize(m.short, p.types)
	for t := range p.types {
		best := m.short[t][:0]
		for i, in := range m.in {
			x := m.times[i*p.types+t]
			if !in || math.IsInf(x, 1) || len(best) == p.cap && x >= m.times[best[p.cap-1]*p.types+t] {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, x, func(k int, x float64) int {
				if m.times[k*p.types+t] <= x {
					return -1
				}
				return 1
			})
			if len(best) == p.cap {
				best = best[:p.cap-1]
			}
			best = slices.Insert(best, at, i)
		}
		m.short[t] = best
	}
	clear(m.in)
	m.seen = resize(m.seen, p.types)
	clear(m.seen)
	for n, t := 0, 0; n < p.cap; t = (t + 1) % p.types {
		list := m.short[t]
		for m.seen[t] < len(list) && m.in[list[m.seen[t]]] {
			m.seen[t]++
		}
		if m.seen[t] < len(list) {
			m.in[list[m.seen[t]]] = true
			n++
		}
	}
}

// machines lists the GPUs that n jobs can make use of: of each type the n that are free first.
func (p *Policy) machines(v *sim.View, n int) {
	m := &p.match
	m.avail, m.class, m.ends = m.avail[:0], m.class[:0], m.ends[:0]
	for _, h := range p.running {
		if h.fresh {
			m.ends = append(m.ends, h.ending)
			continue
		}
		at := math.Inf(1)
		if r := v.Run(h.job).Speed().Rate; r > 0 {
			at = p.left(v, h.job) / r
		}
		held := v.Run(h.job).Held()
		for len(held) > 0 { // runs of one type
			t, k := p.typeOf[v.Topology().Machine(held[0])], 1
			for k < len(held) && p.typeOf[v.Topology().Machine(held[k])] == t {
				k++
			}
			m.ends, held = append(m.ends, ending{at, t, k}), held[k:]
		}
	}
	slices.SortStableFunc(m.ends, func(a, b ending) int { return cmp.Compare(a.at, b.at) })
	for t := range p.types {
		room := n
		add := func(at float64, k int) {
			for range min(k, room) {
				m.avail, m.class = append(m.avail, at), append(m.class, t)
			}
			room -= min(k, room)
		}
		add(0, v.Free().Type(t).Total())
		for _, e := range m.ends {
			if e.typ == t && room > 0 {
				add(e.at, e.gpus)
			}
		}
	}
}

// begin starts the jobs that come first on idle GPUs, in order of arrival.
func (p *Policy) begin(v *sim.View, out []sim.Decision) []sim.Decision {
	m := &p.match
	m.began = m.began[:0]
	for k := len(m.jobs) - 1; k >= 0; k-- {
		if on, _ := m.batch.At(k); m.avail[on] == 0 && m.first[on] == k {
			i, t := m.jobs[k], m.class[on]
			m.began = append(m.began, begun{p.queue[i].job, ending{m.times[i*p.types+t] /
				float64(p.queue[i].demand.GPUs), t, int(p.queue[i].demand.GPUs)}})
		}
	}
	for _, b := range m.began {
		if m.shut[b.typ] {
			continue
		}
		i, _ := p.at(b.job)
		w := &p.queue[i]
		if gpus, ok := p.place.OfType(v, b.typ, &w.demand); ok {
			out = p.start(v, w, gpus, b.ending, out)
		} else if p.hold && w.demand.GPUs > 1 {
			m.shut[b.typ] = true
		}
	}
	return out
}

// resize gives a slice of length n, in the same memory where that is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return append(s[:cap(s)], make([]T, n-cap(s))...)
	}
	return s[:n]
}
