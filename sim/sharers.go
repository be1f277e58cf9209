package sim

import (
	"slices"

	"tarry/sim/cluster"
)

// sharers states who is on the GPUs that several jobs hold: a chain of nodes for each of them, in
// the order in which the jobs came. Nodes are used again, so that nothing is allocated once as many
// were needed as ever will be.
type sharers struct {
	first []int32 // GPU -> 1 + index of its first node; 0 = not shared. Made when a GPU is shared for the first time
	nodes []sharer
	idle  int32 // 1 + index of the first unused node
	many  int   // GPUs that several jobs hold
}

type sharer struct {
	job  JobID
	next int32 // 1 + index; 0 = the last
}

// of is where the chain of a GPU begins, 0 where at most one job holds it.
func (s *sharers) of(g int) int32 {
	if s.many == 0 {
		return 0
	}
	return s.first[g]
}

// node takes a node from the idle ones.
func (s *sharers) node(id JobID) int32 {
	n := s.idle
	if n == 0 {
		s.nodes = append(s.nodes, sharer{})
		n = int32(len(s.nodes))
	} else {
		s.idle = s.nodes[n-1].next
	}
	s.nodes[n-1] = sharer{job: id}
	return n
}

// add puts a job behind those on a GPU, of which owner is the only one where there is no chain yet.
func (s *sharers) add(g, gpus int, owner, id JobID) {
	if s.first == nil {
		s.first = make([]int32, gpus)
	}
	n := s.first[g]
	if n == 0 {
		n = s.node(owner)
		s.first[g] = n
		s.many++
	}
	for s.nodes[n-1].next != 0 {
		n = s.nodes[n-1].next
	}
	last := s.node(id) // may move the nodes
	s.nodes[n-1].next = last
}

// drop takes a job off a GPU that is shared and returns the first job that is left. A job that
// is left alone needs no chain.
func (s *sharers) drop(g int, id JobID) JobID {
	at := &s.first[g]
	for *at != 0 && s.nodes[*at-1].job != id {
		at = &s.nodes[*at-1].next
	}
	if *at != 0 {
		*at = s.free(*at)
	}
	n := s.first[g]
	if s.nodes[n-1].next == 0 {
		s.first[g] = 0
		s.many--
		s.free(n)
	}
	return s.nodes[n-1].job
}

// free makes a node idle and gives the one behind it.
func (s *sharers) free(n int32) int32 {
	next := s.nodes[n-1].next
	s.nodes[n-1].next = s.idle
	s.idle = n
	return next
}

func (s *sharers) copyFrom(o *sharers) {
	s.nodes, s.idle, s.many = append(s.nodes[:0], o.nodes...), o.idle, o.many
	if s.first = s.first[:0]; len(o.first) > 0 {
		s.first = append(s.first, o.first...)
		return
	}
	s.first = nil
}

// FewerSharers are the jobs beside which a job has left a GPU since the last decision (it ended,
// stopped or moved), ascending: their share may grow. Some may have ended themselves. It must not
// be kept.
func (v *View) FewerSharers() []JobID {
	e := v.e
	slices.Sort(e.leftBeside)
	e.leftBeside = slices.Compact(e.leftBeside)
	for n := len(e.leftBeside); n > 0 && e.isReplica(e.leftBeside[n-1]); n-- {
		e.leftBeside = e.leftBeside[:n-1]
	}
	return e.leftBeside
}

// On are the jobs that hold a share of a GPU, including draining jobs, ascending; valid until
// Apply.
func (v *View) On(g cluster.GPU) []JobID {
	e := v.e
	n := e.mates.of(int(g))
	switch {
	case n == 0 && (e.owner[g] == NoJob || e.isReplica(e.owner[g])):
		return nil
	case n == 0:
		return e.owner[g : g+1 : g+1]
	}
	from := len(e.present)
	for ; n != 0; n = e.mates.nodes[n-1].next {
		e.present = append(e.present, e.mates.nodes[n-1].job)
	}
	on := e.present[from:len(e.present):len(e.present)]
	slices.Sort(on)
	for len(on) > 0 && e.isReplica(on[len(on)-1]) {
		on = on[:len(on)-1]
	}
	return on
}

// Sharers is the number of jobs that hold a share of a GPU, including draining jobs.
func (v *View) Sharers(g cluster.GPU) int {
	e := v.e
	n, c := e.mates.of(int(g)), 0
	if n == 0 && e.owner[g] != NoJob && !e.isReplica(e.owner[g]) {
		return 1
	}
	for ; n != 0; n = e.mates.nodes[n-1].next {
		if !e.isReplica(e.mates.nodes[n-1].job) {
			c++
		}
	}
	return c
}
