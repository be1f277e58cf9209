package hadar

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// forks is what HadarE has beside Hadar.
type forks struct {
	part  float64 // of the progress of several copies that counts
	gbps  float64 // at which weights are sent
	set   *models.Set
	bytes map[string]float64 // of a model's weights
	crowd []fork
	moved []bool // by job

	ranks plan.Heap[float64, int32] // the crowd, the largest payoff first
	step  int64                     // counts copies
	given []int64                   // by machine: the last step at which it gave GPUs
	room  []int32                   // machines that have GPUs left, ascending
	calls int64                     // counts calls of several
	taken []int64                   // by machine: the last call that offered its GPUs
}

// fork is a job of a round with its copies so far.
type fork struct {
	bid    int32
	lo, hi int32 // GPUs
	worker int32
	has    int32
	rate   float64
	parts  []part
	offer  []part // what it would take next
	more   float64
	payoff float64 // of that
	open   bool    // there is an offer
	asked  int64   // the step before which it was made
}

// NewForked is hadare-like. Parameters: ForkedParams.
//
//  1. In each round a job may have one copy on each machine, on all its GPUs that are free, up to
//     the most that the job can use.
//  2. A copy's payoff is the utility gained less the price of its GPUs (prices as hadar); the
//     copy of largest payoff is placed, then the next, until no machine has room for any.
//  3. The progress of copies adds up, times efficiency.
//  4. At the end of a round weights are averaged, for which the job stands still.
func NewForked(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	f := &forks{part: s.Float("efficiency", 1, 0.001, 1), gbps: s.Float("aggregate_gbps", 10, 0, 1e9),
		set: models.NewSet(models.Catalogue()...), bytes: map[string]float64{}}
	p := newPolicy(s)
	p.forks = f
	return p, s.Err()
}

// copyOf is the number of GPUs that stands for a copy of a job in bounds and bids: as many as its
// largest machine has of those it can use.
func (p *Policy) copyOf(v *sim.View, j sim.JobID) int32 {
	_, hi := v.Job(j).Range()
	n := int32(1)
	for m := range p.hosts {
		lo, end := v.Topology().MachineGPUs(m)
		if p.typed(v, j, int(p.hosts[m].kind)) {
			n = max(n, int32(end-lo))
		}
	}
	return min(n, int32(hi))
}

// copyRate is the speed of a copy on the largest machine of a type, scaled to the GPUs that stand
// for a copy.
func (p *Policy) copyRate(v *sim.View, j sim.JobID, k int) float64 {
	if !p.typed(v, j, k) {
		return 0
	}
	best, most := int32(-1), 0
	for _, m := range p.types[k].machines {
		if lo, hi := v.Topology().MachineGPUs(int(m)); int(hi-lo) > most {
			best, most = m, int(hi-lo)
		}
	}
	g, w := int(p.jobs[j].gpus), v.Job(j).WorkerGPUs()
	n := min(g, most)
	if n -= n % w; n == 0 {
		n = min(g, most)
	}
	lo, _ := v.Topology().MachineGPUs(int(best))
	p.buf = p.buf[:0]
	for i := range n {
		p.buf = append(p.buf, lo+cluster.GPU(i))
	}
	return float64(v.Predict(j, sim.Placement{GPUs: p.buf, Alone: true}).Rate*float64(g)) / float64(n)
}

// fork makes the wants of a round: the copy with the largest payoff is placed, then the next, until
// no machine has room for any.
func (p *Policy) fork(v *sim.View) {
	s, f := &p.search, p.forks
	p.bids(v)
	p.open(v)
	p.listMachines()
	s.now, s.arena, f.crowd = s.now[:0], s.arena[:0], f.crowd[:0]
	n, free := len(p.queue), p.free()
	if f.given == nil {
		f.given, f.taken = make([]int64, len(p.hosts)), make([]int64, len(p.hosts))
		f.ranks = plan.NewHeap[float64, int32](make([]int32, v.Topology().GPUs()))
	}
	for i := n/2 - 1; i >= 0; i-- {
		p.sink(i, n)
	}
	for ; n > 0 && len(f.crowd) < int(free); n-- { // no more jobs than GPUs can have a copy
		p.queue[0], p.queue[n-1] = p.queue[n-1], p.queue[0]
		p.enter(v, int32(n-1))
		p.sink(0, n-1)
	}
	p.contest(v)
	for ; n > 0 && p.free() > 0; n-- { // such as where those before may have no more
		p.queue[0], p.queue[n-1] = p.queue[n-1], p.queue[0]
		p.enter(v, int32(n-1))
		p.sink(0, n-1)
		if x := &f.crowd[len(f.crowd)-1]; x.open {
			p.copy(x)
		} else {
			f.crowd = f.crowd[:len(f.crowd)-1]
		}
	}
	for i := range f.crowd {
		if x := &f.crowd[i]; x.has > 0 {
			lo := int32(len(s.arena))
			s.arena = append(s.arena, x.parts...)
			s.now = append(s.now, choice{x.bid, lo, int32(len(s.arena))})
		}
	}
	p.assign(v)
	for i := range p.wants {
		if w := &p.wants[i]; v.Run(w.Job).Knobs().ShareMilli == 1000 {
			w.CopyFrac, w.Delay = f.part, p.averaging(v, w.Job)
		}
	}
}

// listMachines lists the machines that have GPUs.
func (p *Policy) listMachines() {
	f := p.forks
	f.room = f.room[:0]
	for m := range p.hosts {
		if p.hosts[m].free > 0 {
			f.room = append(f.room, int32(m))
		}
	}
}

// enter takes a job of the queue into the contest.
func (p *Policy) enter(v *sim.View, i int32) {
	f := p.forks
	if n := len(f.crowd); n < cap(f.crowd) { // with the memory of a round before
		f.crowd = f.crowd[:n+1]
	} else {
		f.crowd = append(f.crowd, fork{})
	}
	x := &f.crowd[len(f.crowd)-1]
	lo, hi := v.Job(p.queue[i].job).Range()
	*x = fork{bid: i, lo: int32(lo), hi: int32(hi), worker: int32(v.Job(p.queue[i].job).WorkerGPUs()), parts: x.parts[:0],
		offer: x.offer[:0]}
	p.consult(v, x)
}

// contest places copies, the one with the largest payoff first, copies without one last. What a
// machine has left only becomes less, so a job is asked again when it stands first and its machine
// has given GPUs away since.
func (p *Policy) contest(v *sim.View) {
	f := p.forks
	for i := range f.crowd {
		f.rank(int32(i))
	}
	for {
		best, _, ok := f.ranks.First()
		if !ok {
			return
		}
		x := &f.crowd[best]
		if !slices.ContainsFunc(x.offer, func(y part) bool { return f.given[y.host] > x.asked }) {
			p.copy(x)
		}
		p.consult(v, x)
		f.rank(best)
	}
}

// rank puts a job of the crowd where its offer belongs.
func (f *forks) rank(i int32) {
	if x := &f.crowd[i]; x.open && x.payoff > math.Inf(-1) {
		f.ranks.Set(i, -x.payoff)
		return
	}
	f.ranks.Drop(i)
}

// copy gives a job what it is offered.
func (p *Policy) copy(x *fork) {
	p.give(&p.jobs[p.queue[x.bid].job], x.offer, 1)
	p.forks.step++
	for _, y := range x.offer {
		x.has += y.gpus
		p.forks.given[y.host] = p.forks.step
		if p.hosts[y.host].free == 0 {
			i, _ := slices.BinarySearch(p.forks.room, y.host)
			p.forks.room = slices.Delete(p.forks.room, i, i+1)
		}
	}
	x.parts = append(x.parts, x.offer...)
	x.rate += x.more
	x.open = false
}

// averaging is the time that the copies of a running job take to make one of their weights at the
// end of a round: each sends its own and gets the mean.
func (p *Policy) averaging(v *sim.View, j sim.JobID) sim.Time {
	held := v.Run(j).Held()
	if p.forks.gbps == 0 || v.Run(j).State() != sim.Running || v.Topology().Machine(held[0]) == v.Topology().Machine(
		held[len(held)-1]) {
		return 0
	}
	model := v.Job(j).Model()
	bytes, ok := p.forks.bytes[model]
	if !ok {
		bytes = 1e8
		if m, err := p.forks.set.Lookup(model); err == nil && model != "" {
			bytes = float64(m.Bytes())
		}
		p.forks.bytes[model] = bytes
	}
	return sim.Seconds(math.Min(1e6, 2*8*bytes/(p.forks.gbps*1e9)))
}

// average holds the jobs back that keep their copies, for as long as the averaging takes; of the
// others it is a part of their move.
func (p *Policy) average(v *sim.View, from int, out []sim.Decision) []sim.Decision {
	f := p.forks
	if n := v.NumJobs(); len(f.moved) < n {
		f.moved = append(f.moved, make([]bool, n-len(f.moved))...)
	}
	last := len(out)
	for _, d := range out[from:] {
		if d.Kind != sim.WakeAt {
			f.moved[d.Job] = true
		}
	}
	for i := range p.wants {
		w := &p.wants[i]
		if w.Delay > 0 && !f.moved[w.Job] {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: w.Job, Knobs: sim.Knobs{Delay: w.Delay}})
		}
	}
	for _, d := range out[from:last] {
		if d.Kind != sim.WakeAt {
			f.moved[d.Job] = false
		}
	}
	for i := range p.wants { // later moves of the round have none
		p.wants[i].Delay = 0
	}
	return out
}
