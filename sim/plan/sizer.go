package plan

import (
	"cmp"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Count is how many GPUs a policy wants a job to have.
type Count struct {
	Job sim.JobID
	// GPUs is the number, within the job's range; 0 = none: a running job is preempted.
	GPUs int32
	// Type is the GPU type on which a job that names none starts; "" = any.
	Type string
	// Lease is granted from now on; 0 = as it is: none for a job that starts.
	Lease sim.Time
	// Stays keeps a running job from moves to others' advantage: it keeps the GPUs of its own that
	// its number leaves it.
	Stays bool
	// Knobs set more of the allocation; a zero leaves a value as it is. Delay is for starts and
	// moves.
	sim.Knobs
}

// Sizer leads from what runs to the numbers of GPUs that a policy wants: it chooses the GPUs, and
// Target finds the decisions. Make it with NewSizer; it belongs to one run.
//
// A running job that is not listed is preempted. One that has its number keeps its GPUs. One that
// is to have fewer gives up those on the machines where it has fewest (sizershrink.go); one that is
// to have more keeps what it has and gets GPUs as near as there are: on its machines, in its racks,
// elsewhere (sizergrow.go). A job that starts is placed by the Placer's rule, on GPUs of one type
// unless no type alone could ever hold it; a job that grows stays within its type.
//
// The order of the list is that in which jobs choose from what is free and given up. A number is
// met in full or not at all: a job for which there are not enough GPUs, such as while checkpoints
// are written, keeps what it has, and Late lists it. Of two entries of one job the first counts.
//
// It costs steps in proportion to the list, the running jobs and their GPUs; the machines are
// scanned only for a job that asks for CPU or memory, and with Moves. It allocates nothing once
// warm.
type Sizer struct {
	// Moves states when jobs move to others' advantage.
	Moves Moves

	place  *Placer
	target Target
	wants  []Want
	sized  []sized // of each want
	late   []sim.JobID
	stop   []sim.JobID // who is preempted
	seen   []int32     // job -> 1 + its want, or nothing, asItIs; 0 = it is not listed
	pieces []piece
	racks  []rackPart

	// For Moves.
	sizes   [][]int32 // by type: the machines' GPUs, descending
	owner   []int32   // GPU -> 1 + the want that has it in the plan; valid while owned
	owned   bool
	options []clearing
	packer  packer
}

// Entries of seen for a job without a want: it is to have no GPUs, or stays as it is.
const (
	nothing = -1
	asItIs  = -2
)

// sized is what is planned of an entry of the list beside its GPUs.
type sized struct {
	job   sim.JobID
	n     int32
	typ   string // on which it starts
	waits bool   // it waits; else it runs
	late  bool   // its number cannot be met
	stays bool   // it does not move
	// of each GPU, before and after; GPUs and Type are not filled in, nor is any of it where
	// nothing changes
	had, has Demand
}

// NewSizer gives a sizer for one run.
func NewSizer(rule cluster.Rule) *Sizer { return &Sizer{place: NewPlacer(rule)} }

// Clone gives an independent copy. It is taken between decisions.
func (s *Sizer) Clone() *Sizer { return &Sizer{Moves: s.Moves, place: s.place.Clone()} }

// Late lists the jobs whose numbers the last Decide has not met, in the order of the list. It is
// valid until the next.
func (s *Sizer) Late() []sim.JobID { return s.late }

// Decide appends the decisions that lead to the numbers wanted. It begins a decision of its own on
// the view's free list, and leaves the list as it is.
func (s *Sizer) Decide(v *sim.View, counts []Count, out []sim.Decision) []sim.Decision {
	s.open(v, counts)
	s.giveUp(v)
	s.fit(v)
	v.Free().Rollback(0)
	n := 0
	for i := range s.wants { // a waiting job for which there is no room is no want
		if len(s.wants[i].GPUs) > 0 {
			s.wants[n] = s.wants[i]
			n++
		}
	}
	out = s.target.change(v, s.wants[:n], s.stop, out)
	s.close(counts)
	return out
}

// fit finds the GPUs that jobs gain, and with Moves better ones.
func (s *Sizer) fit(v *sim.View) {
	s.owned = false
	for i := range s.wants {
		w, x := &s.wants[i], &s.sized[i]
		held := w.GPUs
		s.meet(v, w, x)
		if s.owned && !same(held, w.GPUs) {
			gpus := w.GPUs
			w.GPUs = held
			s.assign(w, gpus)
		}
		if (s.Moves == MoveSpread || s.Moves == MoveBuddy) && !x.late && !x.stays &&
			(x.waits || int(x.n) != len(v.Run(x.job).Held())) {
			s.tighten(v, i)
		}
	}
	if s.Moves >= MoveBuddy {
		s.pack(v)
	}
}

// open lists what is wanted of each job.
func (s *Sizer) open(v *sim.View, counts []Count) {
	if n := v.NumJobs(); len(s.seen) < n {
		s.seen = append(s.seen, make([]int32, n-len(s.seen))...)
	}
	s.place.Begin(v)
	s.wants, s.sized, s.late, s.stop = s.wants[:0], s.sized[:0], s.late[:0], s.stop[:0]
	for i := range counts {
		c := &counts[i]
		if s.seen[c.Job] != 0 {
			continue
		}
		if c.GPUs <= 0 {
			s.seen[c.Job] = nothing
			continue
		}
		state := v.Run(c.Job).State()
		plain := c.Knobs == (sim.Knobs{})
		if state == sim.Running && plain && c.Lease == 0 && (c.Stays || s.Moves == MoveNever) &&
			len(v.Run(c.Job).Held()) == int(c.GPUs) {
			s.seen[c.Job] = asItIs
			continue
		}
		w := Want{Job: c.Job, Lease: c.Lease, Knobs: c.Knobs}
		x := sized{job: c.Job, n: c.GPUs, typ: cmp.Or(v.Job(c.Job).GPUType(), c.Type), stays: c.Stays &&
			state == sim.Running, waits: state == sim.Waiting, late: state != sim.Waiting && state != sim.Running}
		if state == sim.Running {
			w.GPUs = v.Run(c.Job).Held()
		}
		if !x.late && (len(w.GPUs) != int(x.n) || !plain) {
			had := v.Run(c.Job).Knobs()
			has := had.With(&c.Knobs)
			x.had, x.has = perGPU(&had), perGPU(&has)
		}
		s.wants, s.sized = append(s.wants, w), append(s.sized, x)
		s.seen[c.Job] = int32(len(s.wants))
	}
}

func perGPU(k *sim.Knobs) Demand {
	return Demand{ShareMilli: k.ShareMilli, CPUMilli: k.CPUMilli, MemMiB: k.MemMiB}
}

// close lists who is late and forgets the list.
func (s *Sizer) close(counts []Count) {
	for _, j := range s.target.Late() {
		s.sized[s.seen[j]-1].late = true
	}
	for i := range s.sized {
		if x := &s.sized[i]; x.late {
			s.late = append(s.late, x.job)
		}
	}
	for i := range counts {
		s.seen[counts[i].Job] = 0
	}
}

// giveUp plans what jobs give back: jobs that are preempted without a checkpoint, that shrink or
// that keep less of each GPU.
func (s *Sizer) giveUp(v *sim.View) {
	for _, j := range v.Running() {
		if at := s.seen[j]; at > 0 || at == asItIs {
			continue
		}
		if s.stop = append(s.stop, j); v.Run(j).CheckpointTime() == 0 {
			k := v.Run(j).Knobs()
			d := perGPU(&k)
			s.giveBack(v, v.Run(j).Held(), &d)
		}
	}
	for i := range s.wants {
		w, x := &s.wants[i], &s.sized[i]
		if x.waits || x.late {
			continue
		}
		if int(x.n) < len(w.GPUs) {
			s.shrink(v, w, x)
		}
		if x.had != x.has && x.has.within(&x.had) {
			s.exchange(v, w.GPUs, x)
		}
	}
}

// giveBack plans as if GPUs were given back. GPUs of cordoned machines cannot be given out.
func (s *Sizer) giveBack(v *sim.View, gpus []cluster.GPU, d *Demand) {
	for _, g := range gpus {
		if v.Up(g) {
			s.place.unbook(v, g, d)
		} else {
			s.place.charge(v.Topology().Machine(g), d, -1)
		}
	}
}

// exchange plans as if a job had other knobs on the GPUs that it keeps.
func (s *Sizer) exchange(v *sim.View, gpus []cluster.GPU, x *sized) {
	for _, g := range gpus {
		s.place.unbook(v, g, &x.had)
		s.place.book(v, g, x.has.ShareMilli, &x.has)
	}
}

// within reports whether a demand asks no more of a GPU and its host than another.
func (d *Demand) within(o *Demand) bool {
	return d.ShareMilli <= o.ShareMilli && d.CPUMilli <= o.CPUMilli && d.MemMiB <= o.MemMiB
}
