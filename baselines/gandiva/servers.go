package gandiva

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// server is what the policy knows of one machine.
type server struct {
	size, up int32 // GPUs, and those not down
	// load is the sum of the demands homed here and of the GPUs that wide jobs hold or are
	// promised.
	load  int32
	group int32 // index into fleet.groups
	// homed counts the jobs homed here, running, suspended or writing a checkpoint.
	homed     int
	running   []sim.JobID // in the order of their grants
	suspended ring
	visited   int32 // GPUs that wide jobs hold or are promised
	promised  bool  // to a wide job whose GPUs are not all free yet
	turned    bool  // given back by a wide job at this turn
	// ruled are the pairs of its jobs that packing has tried in vain.
	ruled [][2]sim.JobID
}

func (s *server) slack() int32 { return s.up - s.load }

// group is the servers of one type, size and affinity, with most slack first.
type group struct {
	typ      string
	size     int32
	affinity int32                   // 0 = unassigned
	heap     plan.Heap[int32, int32] // by minus the slack
}

// fleet is all servers, indexed by group, and servers with suspended jobs by how crowded they are.
type fleet struct {
	servers []server
	groups  []group
	pos     []int32
	crowded plan.Heap[int32, int32]
}

// top is the first server of a heap, -1 when it is empty.
func top(h *plan.Heap[int32, int32]) int32 {
	if m, _, ok := h.First(); ok {
		return m
	}
	return -1
}

func newFleet(t *cluster.Topology) *fleet {
	n := t.Machines()
	f := &fleet{servers: make([]server, n), pos: make([]int32, n),
		crowded: plan.NewHeap[int32, int32](make([]int32, n))}
	for m := range n {
		lo, hi := t.MachineGPUs(m)
		s := &f.servers[m]
		s.size, s.up = int32(hi-lo), int32(hi-lo)
		s.group = f.groupOf(t.Type(m), s.size, 0)
		f.groups[s.group].heap.Set(int32(m), -s.slack())
	}
	return f
}

func (f *fleet) groupOf(typ string, size, affinity int32) int32 {
	for i := range f.groups {
		if g := &f.groups[i]; g.typ == typ && g.size == size && g.affinity == affinity {
			return int32(i)
		}
	}
	f.groups = append(f.groups, group{typ: typ, size: size, affinity: affinity,
		heap: plan.NewHeap[int32, int32](f.pos)})
	return int32(len(f.groups) - 1)
}

// assign gives a server an affinity.
func (f *fleet) assign(m, affinity int32) {
	s := &f.servers[m]
	g := &f.groups[s.group]
	if g.affinity == affinity {
		return
	}
	typ := g.typ
	g.heap.Drop(m)
	s.group = f.groupOf(typ, s.size, affinity)
	f.groups[s.group].heap.Set(m, -s.slack())
}

// add changes a server's load; an empty server loses its affinity.
func (f *fleet) add(m, by int32) {
	s := &f.servers[m]
	s.load += by
	if s.load == 0 {
		f.assign(m, 0)
	}
	f.rank(m)
}

// rank puts a server where its slack and its suspended jobs belong.
func (f *fleet) rank(m int32) {
	s := &f.servers[m]
	f.groups[s.group].heap.Set(m, -s.slack())
	if s.suspended.len() > 0 {
		f.crowded.Set(m, s.slack())
	} else {
		f.crowded.Drop(m)
	}
}

// suspend and resume keep the order of the suspended, start and stop the order of the running.
func (f *fleet) suspend(m int32, j sim.JobID) {
	f.servers[m].suspended.push(j)
	f.rank(m)
}

func (f *fleet) start(m int32, j sim.JobID) {
	f.servers[m].running = append(f.servers[m].running, j)
}

func (f *fleet) stop(m int32, j sim.JobID) {
	s := &f.servers[m]
	if i := slices.Index(s.running, j); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
}

// ring is a queue of jobs that can be looked into and taken from near its front.
type ring struct {
	jobs []sim.JobID
	head int
}

func (r *ring) len() int           { return len(r.jobs) - r.head }
func (r *ring) at(i int) sim.JobID { return r.jobs[r.head+i] }
func (r *ring) push(j sim.JobID) {
	if r.head > 32 && r.head > len(r.jobs)/2 {
		r.jobs = r.jobs[:copy(r.jobs, r.jobs[r.head:])]
		r.head = 0
	}
	r.jobs = append(r.jobs, j)
}

// take removes the i-th; those before it move up, so it costs i.
func (r *ring) take(i int) {
	copy(r.jobs[r.head+1:r.head+i+1], r.jobs[r.head:r.head+i])
	r.head++
}
