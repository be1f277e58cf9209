package network

import (
	"fmt"
	"math"
	"math/bits"
)

// Layer is one layer of a model as an iteration sees it. Times are nanoseconds.
type Layer struct {
	ForwardNS, InputGradNS, WeightGradNS float64
	// UpdateNS passes between the end of the layer's all-reduce and its use; it occupies nothing.
	UpdateNS float64
	// Bytes are all-reduced after the weight gradient; 0 = none.
	Bytes float64
}

// Schedule is how an iteration overlaps communication with compute.
//
// The backward pass runs from the last layer to the first: weight gradient, then
// input gradient (the first layer needs none). A layer's all-reduce is released when its weight
// gradient is done. All-reduces do not interrupt one another, but different ones
// may occupy different levels at the same time. The next forward pass
// of a layer waits for its reduced gradient.
type Schedule struct {
	// FIFO serves waiting all-reduces in order of release; zero is last in, first out,
	// which favours the layers that the next forward pass needs first.
	FIFO bool
	// Exposed is the part of the overlap that is *not* used, 0..1: 0 = full overlap; 1 = none, all
	// communication between the backward and the next forward pass. Between
	// them release and waiting times are interpolated.
	Exposed float64
	// Drain ends the iteration when all communication has ended, as a run of one pass
	// does; zero overlaps it with the next forward pass.
	Drain bool
	// BucketBytes merges gradients, in order of the backward pass, into all-reduces of at least
	// so many bytes (PyTorch DDP merges 25 MiB: Li et al., VLDB 13(12), 2020); 0 = one per layer.
	BucketBytes float64
	// OpNS is added to each compute operation; >= 0. It counts as communication, since
	// it is not compute. ASTRA-sim spends 1.
	OpNS float64
}

func (s Schedule) validate() []error {
	var errs []error
	if !(s.Exposed >= 0 && s.Exposed <= 1) {
		errs = append(errs, fmt.Errorf("fabric: exposed is %v, expected 0..1", s.Exposed))
	}
	if !(s.BucketBytes >= 0) || math.IsInf(s.BucketBytes, 0) {
		errs = append(errs, fmt.Errorf("fabric: bucket is %v, expected bytes >= 0", s.BucketBytes))
	}
	if !(s.OpNS >= 0) || math.IsInf(s.OpNS, 0) {
		errs = append(errs, fmt.Errorf("fabric: operation delay is %v, expected nanoseconds >= 0", s.OpNS))
	}
	return errs
}

// Iteration is the cost of one training iteration, in nanoseconds.
type Iteration struct {
	ComputeNS float64
	// ExposedNS is the iteration's length less ComputeNS; >= 0.
	ExposedNS float64
	// BusyNS states how long each level's links carry this job's data.
	BusyNS [Levels]float64
}

// ComputeFrac is the part of the iteration spent computing, in (0, 1]; 1 for an empty iteration.
func (it Iteration) ComputeFrac() float64 {
	if it.ExposedNS <= 0 {
		return 1
	}
	return it.ComputeNS / (it.ComputeNS + it.ExposedNS)
}

// collective is one all-reduce of the gradients of layers lo..hi.
type collective struct {
	lo, hi  int
	bytes   float64
	release float64
	done    float64
}

// Iterate plays one iteration in the steady state. Because every forward pass waits for its
// gradients, the network is idle when a backward pass begins: one backward and one
// forward pass are the whole period.
func (s Schedule) Iterate(layers []Layer, phases []Phase) Iteration {
	var it Iteration
	cs, backward := s.backward(layers, &it)
	for i := range cs {
		cs[i].release += float64(s.Exposed * (backward - cs[i].release))
	}
	s.communicate(cs, phases, &it)

	ready := make([]float64, len(layers))
	all := backward
	for _, c := range cs {
		for i := c.lo; i <= c.hi; i++ {
			ready[i] = c.done
			if layers[i].Bytes > 0 {
				ready[i] += layers[i].UpdateNS
			}
			all = max(all, ready[i])
		}
	}
	t, forward := backward, 0.0
	for i, l := range layers {
		if !s.Drain {
			t = max(t, ready[i]+float64(s.Exposed*(all-ready[i])))
		}
		t += l.ForwardNS + s.OpNS
		forward += l.ForwardNS + s.OpNS
		it.ComputeNS += l.ForwardNS
	}
	if s.Drain {
		t = all + forward
	}
	it.ExposedNS = max(0, t-it.ComputeNS)
	return it
}

// backward times the backward pass from 0 and cuts it into collectives, in order of release.
func (s Schedule) backward(layers []Layer, it *Iteration) (cs []collective, end float64) {
	t, open := 0.0, false
	for i := len(layers) - 1; i >= 0; i-- {
		l := layers[i]
		t += l.WeightGradNS
		it.ComputeNS += l.WeightGradNS
		if l.Bytes > 0 && !open {
			cs = append(cs, collective{hi: i, lo: i})
			open = true
		}
		if open {
			c := &cs[len(cs)-1]
			c.lo, c.release = i, t
			c.bytes += l.Bytes
			open = c.bytes < s.BucketBytes
		}
		t += s.OpNS
		if i > 0 {
			t += l.InputGradNS + s.OpNS
			it.ComputeNS += l.InputGradNS
		}
	}
	return cs, t
}

// communicate runs the collectives through their phases: each level serves one
// at a time and takes the waiting one that was released last (or first, if FIFO).
func (s Schedule) communicate(cs []collective, phases []Phase, it *Iteration) {
	if len(phases) == 0 {
		for i := range cs {
			cs[i].done = cs[i].release
		}
		return
	}
	var st [Levels]station
	for i := range st {
		st[i] = station{end: math.Inf(1), waiting: make([]uint64, (len(cs)*len(phases)+63)/64)}
	}
	// A task is a collective in a phase; its number orders tasks by release.
	enter := func(now float64, c, phase int) {
		q := &st[phases[phase].Level]
		task := c*len(phases) + phase
		q.waiting[task/64] |= 1 << (task % 64)
		q.start(now, cs, phases, s.FIFO, it)
	}
	for next := 0; ; {
		now, at := math.Inf(1), -1
		if next < len(cs) {
			now = cs[next].release
		}
		for i := range st {
			if st[i].end < now {
				now, at = st[i].end, i
			}
		}
		switch {
		case at >= 0:
			task := st[at].task
			c, p := task/len(phases), task%len(phases)
			st[at].end = math.Inf(1)
			if p+1 < len(phases) {
				enter(now, c, p+1)
			} else {
				cs[c].done = now
			}
			st[at].start(now, cs, phases, s.FIFO, it)
		case next < len(cs):
			enter(now, next, 0)
			next++
		default:
			return
		}
	}
}

// station is the links of one level: the running task, when it ends (+Inf = idle), and the waiting
// set.
type station struct {
	end     float64
	task    int
	waiting []uint64
}

func (q *station) start(now float64, cs []collective, phases []Phase, fifo bool, it *Iteration) {
	if !math.IsInf(q.end, 1) {
		return
	}
	task := q.pick(fifo)
	if task < 0 {
		return
	}
	q.waiting[task/64] &^= 1 << (task % 64)
	p := phases[task%len(phases)]
	ns := p.NS(cs[task/len(phases)].bytes)
	q.task, q.end = task, now+ns
	it.BusyNS[p.Level] += ns
}

func (q *station) pick(fifo bool) int {
	if fifo {
		for i, w := range q.waiting {
			if w != 0 {
				return i*64 + bits.TrailingZeros64(w)
			}
		}
		return -1
	}
	for i := len(q.waiting) - 1; i >= 0; i-- {
		if w := q.waiting[i]; w != 0 {
			return i*64 + bits.Len64(w) - 1
		}
	}
	return -1
}
