package slots

import "math/bits"

// Solver finds the optimum of small days by dynamic programming over slots. A state is what each job
// still needs and how many nodes are on. It keeps its memory from day to day.
type Solver struct {
	d      *Day
	length []int64 // of the slots before each
	left   []int64 // by state and job
	states []state
	table  []int32 // 1 + states of the slot that is filled, by hash
	most   int

	from, t int // the state and slot from which states are made
	full    bool
}

// state is a state after a slot.
type state struct {
	cost float64
	on   int32
	from int32 // the state before
	runs uint64
}

// most jobs of a day that is solved: a set of them is a word.
const mostJobs = 64

// Solve finds the plan of least cost, of equals one of fixed choice; done is false if there are more
// than so many states, or more than 64 jobs, and ok if no plan keeps to the day.
func (s *Solver) Solve(d *Day, most int) (ok, done bool) {
	s.d, s.most, s.full = d, most, len(d.Jobs) > mostJobs
	s.length = append(s.length[:0], 0)
	for _, slot := range d.Slots {
		s.length = append(s.length, s.length[len(s.length)-1]+slot.Len)
	}
	s.left, s.states = s.left[:0], append(s.states[:0], state{on: int32(d.On), from: -1})
	for i := range d.Jobs {
		s.left = append(s.left, d.Jobs[i].Left)
	}
	size := 1 << bits.Len(uint(2*most))
	if len(s.table) < size {
		s.table = make([]int32, size)
	}
	first := 0
	for s.t = 0; s.t < len(d.Slots) && !s.full; s.t++ {
		clear(s.table)
		end := len(s.states)
		for s.from = first; s.from < end && !s.full; s.from++ {
			s.choose(0, 0, 0)
		}
		first = end
	}
	if s.full {
		return false, false
	}
	best := -1
	for k := first; k < len(s.states); k++ {
		if best < 0 || cheaper(s.states[k].cost, s.states[best].cost) {
			best = k
		}
	}
	s.from = best
	return best >= 0, true
}

// Cost is the least cost.
func (s *Solver) Cost() float64 { return s.states[s.from].cost }

// Plan is the plan that was found.
func (s *Solver) Plan() Plan {
	plan := make(Plan, len(s.d.Jobs))
	for i := range plan {
		for t := range s.d.Slots {
			if s.Runs(i, t) {
				plan[i] = append(plan[i], t)
			}
		}
	}
	return plan
}

// Runs reports whether a job runs in a slot of the plan that was found.
func (s *Solver) Runs(i, t int) bool {
	k := s.from
	for u := len(s.d.Slots) - 1; u > t; u-- {
		k = int(s.states[k].from)
	}
	return s.states[k].runs>>i&1 == 1
}

// choose goes through the sets of jobs that may run in the slot, from job i on; runs of the jobs
// before are chosen, and use GPU time.
func (s *Solver) choose(i int, runs uint64, use int64) {
	d, t := s.d, s.t
	n := len(d.Jobs)
	if s.full {
		return
	}
	if i == n {
		s.reach(runs, use)
		return
	}
	j, left := &d.Jobs[i], s.left[s.from*n+i]
	due := min(j.Due, len(d.Slots))
	if left == 0 {
		s.choose(i+1, runs, use)
		return
	}
	begun := !d.Preempt && (left < j.Left || j.Begun)
	fresh := !begun && !d.Preempt
	with := use + int64(j.GPUs)*min(left, d.Slots[t].Len)
	if t >= j.Ready && t < due && (!fresh || j.startsIn(t)) && s.length[due]-s.length[t] >= left && with <= d.room(t) {
		s.choose(i+1, runs|1<<i, with) // first: of equals the early one stays
	}
	if !begun && (!fresh || j.startsIn(t+1)) && t+1 <= due && s.length[due]-s.length[t+1] >= left { // it may wait
		s.choose(i+1, runs, use)
	}
}

// reach makes the state after the slot, or makes it cheaper.
func (s *Solver) reach(runs uint64, use int64) {
	d, t, n := s.d, s.t, len(s.d.Jobs)
	prev := &s.states[s.from]
	next := state{cost: prev.cost, on: int32(d.needs(t, use)), from: int32(s.from), runs: runs}
	next.cost += d.nodesCost(t, int(next.on), int(prev.on))
	at := len(s.left)
	for i := range d.Jobs {
		left := s.left[s.from*n+i]
		if runs>>i&1 == 1 {
			part := min(left, d.Slots[t].Len)
			next.cost += d.jobCost(&d.Jobs[i], t, part)
			left -= part
		}
		s.left = append(s.left, left)
	}
	key := s.left[at:]
	h := uint64(next.on)
	for _, x := range key {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	mask := uint64(len(s.table) - 1)
	for h &= mask; s.table[h] != 0; h = (h + 1) & mask {
		k := int(s.table[h]) - 1
		if s.states[k].on == next.on && equal(s.left[k*n:(k+1)*n], key) {
			if cheaper(next.cost, s.states[k].cost) {
				s.states[k] = next
			}
			s.left = s.left[:at]
			return
		}
	}
	if len(s.states) > s.most {
		s.full = true
		return
	}
	s.states = append(s.states, next)
	s.table[h] = int32(len(s.states))
}

func equal(a, b []int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
