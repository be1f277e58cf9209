package gadget

import (
	"slices"

	"tarry/internal/choice"
	"tarry/sim/plan"
)

// slot is the integer programme of one slot: each job has at most one ring, the rows (GPUs, links)
// hold what rings use of them, and the gains of the rings add up to the most. It is built job by
// job: open, then for each job its rings, fewest workers first, and shut.
type slot struct {
	problem choice.Problem
	rings   []ring // of each option of the problem
	pick    []int32

	solver choice.Solver
	left   []float64 // of the rows, as the greedy rule goes
	queue  plan.Heap[float64, int32]
	pos    []int32
}

// ring is an option: none, or so many workers over so many machines.
type ring struct {
	workers, machines int32
	typ               int32 // of the GPUs; -1 = several
}

// open begins a programme with the capacities of its rows.
func (s *slot) open(caps []float64) {
	s.problem.Reset(caps)
	s.rings = s.rings[:0]
	s.none()
}

// none gives the next job the option of no ring.
func (s *slot) none() {
	s.problem.Option(0)
	s.rings = append(s.rings, ring{})
}

// ring adds a ring of the next job, and gives what it uses of the rows, to be filled in.
func (s *slot) ring(r ring, gain float64) []float64 {
	s.rings = append(s.rings, r)
	return s.problem.Option(-gain)
}

// shut ends the rings of a job.
func (s *slot) shut() {
	s.problem.Close()
	s.none()
}

// seal ends the programme.
func (s *slot) seal() {
	n := len(s.rings) - 1 // the option of no ring of a job that does not come
	s.rings, s.problem.Cost = s.rings[:n], s.problem.Cost[:n]
	s.problem.Use = s.problem.Use[:n*len(s.problem.Cap)]
}

// gain is what an option adds to the sum.
func (s *slot) gain(o int32) float64 { return -s.problem.Cost[o] }

// solve picks a ring or none for each job, and gives the sum of the gains: the greedy rule's, or
// where the branch and bound of at most so many linear problems finds more, its own. proved states
// that no picks have more.
func (s *slot) solve(nodes int) (sum float64, proved bool) {
	sum = s.greedy()
	if nodes < 1 || len(s.problem.Cap) > choice.MaxRows || s.problem.Groups() == 0 {
		return sum, false
	}
	s.solver.Price = s.solver.Price[:0] // what is picked depends on this slot alone
	s.solver.MaxNodes, s.solver.Gap = nodes, 1e-9
	cost, err := s.solver.Pick(&s.problem)
	if err != nil && err != choice.ErrNodes {
		return sum, false
	}
	if -cost > sum+1e-12 {
		sum = -cost
		for g := range s.pick {
			s.pick[g] = int32(s.solver.Picked(g))
		}
	}
	return sum, err == nil
}

// relaxed is the sum of the linear relaxation: no picks have more.
func (s *slot) relaxed() (float64, error) {
	s.solver.Price = s.solver.Price[:0]
	cost, err := s.solver.Minimise(&s.problem)
	return -cost, err
}

// greedy gives one worker more at a time to the job that gains most by it, for each GPU; its ring
// is laid anew. Ties go to the lower job.
func (s *slot) greedy() (sum float64) {
	n := s.problem.Groups()
	s.left = append(s.left[:0], s.problem.Cap...)
	s.pick = append(s.pick[:0], s.problem.First[:n]...)
	if len(s.pos) < n {
		s.pos = make([]int32, 2*n)
		s.queue = plan.NewHeap[float64, int32](s.pos)
	}
	for g := range int32(n) {
		s.offer(g)
	}
	for {
		g, key, ok := s.queue.First()
		if !ok {
			return sum
		}
		o, gain := s.next(g)
		if o < 0 || -gain != key { // less is left than when it was looked at
			s.offer(g)
			continue
		}
		sum += s.gain(o) - s.gain(s.pick[g])
		freed := s.turn(g, o)
		s.offer(g)
		if !freed {
			continue
		}
		for g := range int32(n) { // what did not fit may fit now
			s.offer(g)
		}
	}
}

// content reports whether every job has an option that gains it most.
func (s *slot) content() bool {
	for g, o := range s.pick {
		if s.gain(o) < -slices.Min(s.problem.Cost[s.problem.First[g]:s.problem.First[g+1]]) {
			return false
		}
	}
	return true
}

// offer puts a job among jobs that gain by another worker, or takes it out.
func (s *slot) offer(g int32) {
	if o, gain := s.next(g); o >= 0 {
		s.queue.Set(g, -gain)
		return
	}
	s.queue.Drop(g)
}

// next is the best ring of a job with the next larger number of workers that fits, of equal ones
// on the fewest machines, and what it gains for each GPU; -1 where no such ring gains.
func (s *slot) next(g int32) (best int32, gain float64) {
	has := s.pick[g]
	best = -1
	workers := int32(0)
	for o := has + 1; o < s.problem.First[g+1]; o++ {
		r := s.rings[o]
		if r.workers == s.rings[has].workers {
			continue
		}
		if workers > 0 && r.workers > workers {
			break
		}
		if !s.fits(has, o) {
			continue
		}
		workers = r.workers
		by := (s.gain(o) - s.gain(has)) / float64(r.workers-s.rings[has].workers)
		if by > 1e-12 && (best < 0 || by > gain || by == gain && r.machines < s.rings[best].machines) {
			best, gain = o, by
		}
	}
	return best, gain
}

// fits reports whether the rows hold a ring in place of another of the job.
func (s *slot) fits(has, o int32) bool {
	was, use := s.use(has), s.use(o)
	for i := range use {
		if use[i] > was[i]+s.left[i]+1e-9 {
			return false
		}
	}
	return true
}

// turn gives a job another ring, and reports whether some row has more left than before.
func (s *slot) turn(g, o int32) (freed bool) {
	was, use := s.use(s.pick[g]), s.use(o)
	for i := range use {
		s.left[i] += was[i] - use[i]
		freed = freed || was[i] > use[i]
	}
	s.pick[g] = o
	return freed
}

func (s *slot) use(o int32) []float64 {
	k := len(s.problem.Cap)
	return s.problem.Use[int(o)*k : int(o)*k+k]
}
