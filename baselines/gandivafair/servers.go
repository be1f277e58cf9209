package gandivafair

import (
	"slices"

	"tarry/sim"
)

// generation is a type of GPU.
type generation struct {
	gpus      int // in the cluster
	widest    int32
	waits     int  // jobs that wait for it
	contested bool // and have since the account was opened
	servers   []int32
}

// server is one machine.
type server struct {
	gen      int32
	size, up int32 // GPUs, and those not down
	wide     int32 // GPUs that wide jobs hold or are promised
	lent     int32 // GPUs of wide jobs that may stay, at a turn
	promised bool  // a wide job waits for GPUs here
	kept     int32 // GPUs of running jobs that stay, at a turn
	running  []sim.JobID
	pending  []sim.JobID // picked, in order; their GPUs are not free yet
	slots    []slot
	waits    int32   // jobs in the queue
	load     float64 // at a balancing
	crowded  bool    // at this turn
}

// slot is the jobs of a user that are homed on a server.
type slot struct {
	user         int32
	homed        int32       // running ones, pending ones and jobs that write a checkpoint included
	queue        []sim.JobID // waiting, and at a turn running: by pass, then JobID
	next         int         // those before it do not fit what is left
	passed, shut bool        // at this walk
}

// initialise builds the servers.
func (p *Policy) initialise(v *sim.View) {
	t := v.Topology()
	p.gens = make([]generation, len(t.Types()))
	p.servers = make([]server, t.Machines())
	p.isTouch = make([]bool, t.Machines())
	p.names = map[string]int32{}
	p.total, p.typeNames, p.top = t.GPUs(), t.Types(), t
	for m := range p.servers {
		lo, hi := t.MachineGPUs(m)
		s := &p.servers[m]
		s.size, s.up = int32(hi-lo), int32(hi-lo)
		s.gen = int32(slices.Index(t.Types(), t.Type(m)))
		g := &p.gens[s.gen]
		g.gpus += int(s.size)
		g.widest = max(g.widest, s.size)
		g.servers = append(g.servers, int32(m))
	}
}

func (p *Policy) touch(m int32) {
	if m >= 0 && !p.isTouch[m] {
		p.isTouch[m] = true
		p.touched = append(p.touched, m)
	}
}

// slotOf finds a user's slot on a server, and makes one if there is none.
func (s *server) slotOf(u int32) *slot {
	for i := range s.slots {
		if s.slots[i].user == u {
			return &s.slots[i]
		}
	}
	if n := len(s.slots); n < cap(s.slots) {
		s.slots = s.slots[:n+1] // with the memory of one that was dropped
	} else {
		s.slots = append(s.slots, slot{})
	}
	x := &s.slots[len(s.slots)-1]
	*x = slot{user: u, queue: x.queue[:0]}
	return x
}

// home books a job on a server, unhome takes it off.
func (p *Policy) home(j sim.JobID, m int32) {
	x, s := &p.jobs[j], &p.servers[m]
	x.home, x.gen = m, s.gen
	s.slotOf(x.user).homed++
	p.users[x.user].gens[s.gen].homed += p.gpus(j)
}

func (p *Policy) unhome(j sim.JobID) {
	x := &p.jobs[j]
	if x.home < 0 {
		return
	}
	s := &p.servers[x.home]
	p.users[x.user].gens[s.gen].homed -= p.gpus(j)
	o := s.slotOf(x.user)
	if o.homed--; o.homed == 0 {
		i, n := slices.IndexFunc(s.slots, func(y slot) bool { return y.user == x.user }), len(s.slots)-1
		s.slots[i], s.slots[n] = s.slots[n], s.slots[i]
		s.slots = s.slots[:n]
	}
	x.home = nowhere
}

// enqueue lets a job wait on its home.
func (p *Policy) enqueue(j sim.JobID) {
	x := &p.jobs[j]
	x.where = queued
	p.insert(j)
	p.count(j, 1)
	p.touch(x.home)
}

// dequeue takes a waiting job out of the queue of its home.
func (p *Policy) dequeue(j sim.JobID) {
	p.extract(j)
	p.count(j, -1)
	p.jobs[j].where = away
}

// count books a job that begins or ends to wait.
func (p *Policy) count(j sim.JobID, by int32) {
	x := &p.jobs[j]
	for k := range p.gens {
		if x.gen == int32(k) || x.gen == mixed {
			p.gens[k].waits += int(by)
			p.users[x.user].gens[k].waits += by
		}
	}
	if x.home >= 0 {
		p.servers[x.home].waits += by
		p.sizes[p.gpus(j)] += int(by)
	}
}

// insert and extract keep the order of a slot.
func (p *Policy) insert(j sim.JobID) {
	o := p.servers[p.jobs[j].home].slotOf(p.jobs[j].user)
	i, _ := slices.BinarySearchFunc(o.queue, j, p.compare)
	o.queue = slices.Insert(o.queue, i, j)
}

func (p *Policy) extract(j sim.JobID) {
	o := p.servers[p.jobs[j].home].slotOf(p.jobs[j].user)
	if i, ok := slices.BinarySearchFunc(o.queue, j, p.compare); ok {
		o.queue = slices.Delete(o.queue, i, i+1)
	}
}

func (p *Policy) compare(a, b sim.JobID) int {
	switch x, y := p.jobs[a].pass, p.jobs[b].pass; {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return int(a) - int(b)
}

// open makes every job of a server's queue a candidate.
func (s *server) open() {
	for i := range s.slots {
		s.slots[i].next, s.slots[i].passed, s.slots[i].shut = 0, false, len(s.slots[i].queue) == 0
	}
}

// pick is the next job that fits room GPUs: the step of stride. It stays in the queue. The user
// with the least pass comes first, with the first of its jobs; if that does not fit the user is
// passed over and keeps its low pass, and its smaller jobs get only what all others leave.
func (p *Policy) pick(m, room int32) sim.JobID {
	s := &p.servers[m]
	for {
		o := p.first(s)
		if o == nil {
			return sim.NoJob
		}
		if j := o.queue[o.next]; p.gpus(j) <= room {
			return j
		}
		if !o.passed {
			o.passed = true
			continue
		}
		for ; o.next < len(o.queue); o.next++ {
			if j := o.queue[o.next]; p.gpus(j) <= room {
				return j
			}
		}
		o.shut = true
	}
}

// first is the open slot of the user with the least pass, those passed over behind all others; nil
// if none is open.
func (p *Policy) first(s *server) *slot {
	var best *slot
	least := 0.0
	for i := range s.slots {
		o := &s.slots[i]
		if o.shut || best != nil && o.passed && !best.passed {
			continue
		}
		pass := p.users[o.user].gens[s.gen].pass
		if best == nil || best.passed && !o.passed || pass < least || pass == least &&
			o.queue[o.next] < best.queue[best.next] {
			best, least = o, pass
		}
	}
	return best
}

// picked is called after the picked job has left the queue.
func (p *Policy) picked(m, u int32) {
	if o := p.servers[m].slotOf(u); o.next >= len(o.queue) {
		o.shut = true
	}
}

// recount counts the GPUs that are not down, after a failure or repair of a unit.
func (p *Policy) recount(v *sim.View) {
	t := v.Topology()
	for i := len(p.wides) - 1; i >= 0; i-- { // promises may not hold any more
		if p.jobs[p.wides[i].job].where == pending {
			p.unpend(v, p.wides[i].job)
		}
	}
	for m := range p.servers {
		s := &p.servers[m]
		lo, hi := t.MachineGPUs(m)
		old := s.up
		s.up = 0
		for g := lo; g < hi; g++ {
			if v.Owner(g) != sim.NoJob || v.Free().Has(g) {
				s.up++
			}
		}
		if s.up != old {
			p.touch(int32(m))
		}
		if s.up < old {
			p.evict(v, int32(m))
		}
	}
}

// evict sends the waiting jobs away that a server with GPUs down cannot hold, if another can.
func (p *Policy) evict(v *sim.View, m int32) {
	p.scratch = p.scratch[:0]
	for i := range p.servers[m].slots {
		for _, j := range p.servers[m].slots[i].queue {
			if p.gpus(j) > p.servers[m].up {
				p.scratch = append(p.scratch, j)
			}
		}
	}
	for _, j := range p.scratch {
		if to := p.choose(v, j); to >= 0 && to != m {
			p.rehome(j, to)
		}
	}
}

// rehome moves a waiting job to another server.
func (p *Policy) rehome(j sim.JobID, to int32) {
	p.dequeue(j)
	p.unhome(j)
	p.home(j, to)
	p.enqueue(j)
}

// roomIn is how many GPUs of a server that is idle a job can have, with the CPU and memory that it
// asks for.
func (p *Policy) roomIn(m int32, j sim.JobID) int32 {
	return int32(p.top.Room(int(m), p.demand(j).PerGPU()))
}

func (p *Policy) typed(gen int32, want string) bool {
	return want == "" || len(p.gens) == 1 || p.typeNames[gen] == want
}
