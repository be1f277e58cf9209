package gandiva

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// growKey is the timer of grow-shrink.
const growKey = 1

// growth is the state of grow-shrink; more is nil without it.
type growth struct {
	more   []int32                    // job -> GPUs beyond its request
	shrunk []sim.Time                 // job -> when it gave some back
	grown  []int32                    // server -> jobs that have more
	all    int32                      // such jobs
	due    plan.Heap[sim.Time, int32] // servers with idle GPUs and an elastic job, by when it may grow
	listed []bool                     // server -> it is in due
	looks  plan.Alarm
	gpus   []cluster.GPU // of this instant's decisions
}

func (g *growth) init(jobs, servers int) {
	g.more, g.shrunk, g.grown, g.listed = make([]int32, jobs), make([]sim.Time, jobs), make([]int32, servers),
		make([]bool, servers)
	g.due, g.looks.Key = plan.NewHeap[sim.Time, int32](make([]int32, servers)), growKey
	for j := range g.shrunk {
		g.shrunk[j] = -1
	}
}

// stretch notes since when the touched servers have idle GPUs, lets jobs grow where that was long
// ago, and asks for the next look.
func (p *Policy) stretch(v *sim.View) {
	if p.more == nil {
		return
	}
	for _, m := range p.touched {
		switch s := &p.fleet.servers[m]; {
		case v.Free().InMachine(int(m)) == 0 || s.suspended.len() > 0 || s.promised || !p.elastic(v, m):
			p.due.Drop(m)
			p.listed[m] = false
		case !p.listed[m]:
			p.due.Set(m, v.Now()+p.cfg.idle)
			p.listed[m] = true
		}
	}
	for m, at, ok := p.due.First(); ok && at <= v.Now(); m, at, ok = p.due.First() {
		p.due.Drop(m)
		p.listed[m] = false
		if p.wide.Len() == 0 {
			p.grow(v, m)
		}
	}
	at := sim.Never
	if _, next, ok := p.due.First(); ok {
		at = next
	}
	p.out = p.looks.Set(v.Now(), at, p.out)
}

// elastic reports whether a job of a server can use more GPUs than it has.
func (p *Policy) elastic(v *sim.View, m int32) bool {
	return slices.ContainsFunc(p.fleet.servers[m].running, func(j sim.JobID) bool {
		_, hi := v.Job(j).Range()
		return int32(hi) > p.demand(j).GPUs+p.more[j]
	})
}

// grow gives the idle GPUs of a server to its elastic jobs, in the order of their grants.
func (p *Policy) grow(v *sim.View, m int32) {
	for _, j := range p.fleet.servers[m].running {
		d := p.demand(j)
		if v.Run(j).State() != sim.Running || p.mateOf(j) != sim.NoJob || d.ShareMilli < whole || p.shrunk[j] == v.Now() ||
			slices.Contains(p.moved, j) {
			continue
		}
		_, hi := v.Job(j).Range()
		n := min(hi-len(v.Run(j).Held()), v.Free().InMachine(int(m)), p.place.Room(v, int(m), d))
		if n -= n % v.Job(j).WorkerGPUs(); n <= 0 {
			continue
		}
		p.buf = v.Free().FromMachine(p.buf[:0], int(m), n, cluster.BestFit)
		from := len(p.gpus)
		p.gpus = append(append(p.gpus, p.place.Given(v, d, p.buf)...), v.Run(j).Held()...)
		slices.Sort(p.gpus[from:])
		p.resize(m, j, p.gpus[from:], int32(n))
	}
}

// resize decides that a job has so many GPUs more.
func (p *Policy) resize(m int32, j sim.JobID, gpus []cluster.GPU, by int32) {
	p.out = append(p.out, sim.Decision{Kind: sim.Resize, Job: j, GPUs: gpus})
	p.count(m, j, p.more[j]+by)
}

// count books the GPUs that a job has beyond its request.
func (p *Policy) count(m int32, j sim.JobID, more int32) {
	if (p.more[j] > 0) != (more > 0) {
		by := int32(1)
		if more == 0 {
			by = -1
		}
		p.grown[m] += by
		p.all += by
	}
	p.more[j] = more
}

// shrink takes back what jobs of a server have grown by, all at once: they keep the lowest of their
// GPUs.
func (p *Policy) shrink(v *sim.View, m int32) {
	if p.more == nil || p.grown[m] == 0 {
		return
	}
	for _, j := range p.fleet.servers[m].running {
		held := v.Run(j).Held()
		// the last: it has grown at this instant
		if p.more[j] == 0 || v.Run(j).State() != sim.Running || len(held) != int(p.demand(j).GPUs+p.more[j]) {
			continue
		}
		keep := p.demand(j).GPUs
		from := len(p.gpus)
		p.gpus = append(p.gpus, held...)
		p.place.Return(v, p.demand(j), p.gpus[from+int(keep):])
		p.shrunk[j] = v.Now()
		p.resize(m, j, p.gpus[from:from+int(keep)], -p.more[j])
	}
	p.touch(m)
}

// shrinkAll takes back what any job has grown by.
func (p *Policy) shrinkAll(v *sim.View) {
	if p.all == 0 {
		return
	}
	for m := range p.grown {
		p.shrink(v, int32(m))
	}
}

// forgo forgets what a job has grown by, as it has lost its GPUs.
func (p *Policy) forgo(j sim.JobID) {
	if p.more != nil && p.more[j] > 0 {
		p.count(p.home[j], j, 0)
	}
}

// fixed reports whether a job has grown, or shrunk at this instant: it is not suspended or moved
// then.
func (p *Policy) fixed(v *sim.View, j sim.JobID) bool {
	return p.more != nil && (p.more[j] > 0 || p.shrunk[j] == v.Now())
}

// note has a server looked at again at the end of the decision.
func (p *Policy) note(m int32) {
	if p.more != nil {
		p.touch(m)
	}
}
