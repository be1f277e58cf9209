package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Want is what a policy wants a job to have.
type Want struct {
	Job sim.JobID
	// GPUs is the allocation, ascending. It may be a slice of RunInfo.Held, of any job.
	GPUs []cluster.GPU
	// Lease is granted from now on; 0 = as it is: none for a job that starts.
	Lease sim.Time
	// Knobs set more of the allocation; a zero leaves a value as it is. Delay is for starts and
	// moves.
	sim.Knobs
}

// Target leads from the state that a view shows to one that a policy wants, by the fewest changes:
// the policy lists the jobs that are to run, with their GPUs, and Target finds the decisions and an
// order in which the kernel accepts them. The zero value is ready.
//
// A running job that is not wanted is preempted. One whose GPUs and knobs are as wanted is left
// alone, and renewed if it wants a lease; one that wants other knobs on its GPUs is tuned, one that
// wants other GPUs is migrated, or resized where their number differs. Jobs that want one another's
// GPUs are lifted first.
//
// GPUs on which a preempted job still writes its checkpoint are not free, nor are GPUs that failed
// or are cordoned. A want that needs them is put off: a waiting job waits, a running one keeps what
// it has, and so a third job that wants that may be put off too. Late lists them. Where the
// checkpoint is the reason, the policy is asked again when it is written (event Drained). Of wants
// that contradict each other one that changes nothing prevails, else the earlier in the list.
//
// It costs steps in proportion to the GPUs of the wants and of the running jobs, and allocates
// nothing once warm.
type Target struct {
	index []int32 // job -> 1 + its place in steps; 0 = it is not wanted
	steps []step
	late  []sim.JobID
	gpu   ledger // thousandths of each GPU
	cpu   ledger // of each machine
	mem   ledger
}

// act is what becomes of a want.
type act uint8

const (
	stays act = iota
	tunes
	moves
	starts
	fails // it is put off, or nothing can be done for it
)

// step is a want and what the job has.
type step struct {
	job      sim.JobID
	want     *Want
	act      act
	had, has sim.Knobs // before and after
	held     []cluster.GPU
}

// Decide appends the decisions that lead to what is wanted. The wants must stay as they are until
// the kernel has applied them. Of two wants of one job the first counts.
func (t *Target) Decide(v *sim.View, wants []Want, out []sim.Decision) []sim.Decision {
	t.open(v)
	for i := range wants {
		t.add(v, &wants[i])
	}
	for _, j := range v.Running() {
		if t.index[j] == 0 {
			out = t.preempt(v, j, out)
		}
	}
	return t.finish(v, out)
}

// change is Decide, but running jobs that are not wanted stay as they are, unless they are to stop.
func (t *Target) change(v *sim.View, wants []Want, stop []sim.JobID, out []sim.Decision) []sim.Decision {
	t.open(v)
	for i := range wants {
		t.add(v, &wants[i])
	}
	for _, j := range stop {
		out = t.preempt(v, j, out)
	}
	return t.finish(v, out)
}

func (t *Target) preempt(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if v.Run(j).CheckpointTime() == 0 {
		t.charge(v, v.Run(j).Held(), v.Run(j).Knobs(), -1)
	}
	return append(out, sim.Decision{Kind: sim.Preempt, Job: j})
}

// finish plans all that is wanted and writes it down.
func (t *Target) finish(v *sim.View, out []sim.Decision) []sim.Decision {
	for i := range t.steps {
		t.plan(v, &t.steps[i])
	}
	t.settle(v)
	return t.write(v, out)
}

// Late lists the jobs whose wants the last Decide has put off, in the order of the wants. It is
// valid until the next.
func (t *Target) Late() []sim.JobID { return t.late }

func (t *Target) open(v *sim.View) {
	for i := range t.steps {
		t.index[t.steps[i].job] = 0
	}
	if n := v.NumJobs(); len(t.index) < n {
		t.index = append(t.index, make([]int32, n-len(t.index))...)
	}
	t.steps, t.late = t.steps[:0], t.late[:0]
	top := v.Topology()
	t.gpu.open(top.GPUs())
	t.cpu.open(top.Machines())
	t.mem.open(top.Machines())
}

func (t *Target) add(v *sim.View, w *Want) {
	if t.index[w.Job] != 0 {
		return
	}
	s := t.step()
	s.job, s.want, s.act, s.held = w.Job, w, fails, nil
	t.index[w.Job] = int32(len(t.steps))
	switch v.Run(w.Job).State() {
	case sim.Waiting:
		s.act = starts
	case sim.Running:
		s.act, s.held = stays, v.Run(w.Job).Held()
		if same(s.held, w.GPUs) && w.Knobs == (sim.Knobs{}) { // nothing changes, whatever its knobs are
			s.had, s.has = sim.Knobs{}, sim.Knobs{}
			return
		}
	}
	if s.act != fails {
		s.had = v.Run(w.Job).Knobs()
		s.has = s.had.With(&w.Knobs)
		s.has.Delay = s.had.Delay // it is no state to be in
	}
}

// step adds one, with what is left of an earlier one.
func (t *Target) step() *step {
	if n := len(t.steps); n < cap(t.steps) {
		t.steps = t.steps[:n+1]
	} else {
		t.steps = append(t.steps, step{})
	}
	return &t.steps[len(t.steps)-1]
}

// plan finds out what a want asks for, and books what would come of it.
func (t *Target) plan(v *sim.View, s *step) {
	switch {
	case s.act == fails:
		return
	case s.act == starts:
	case !same(s.held, s.want.GPUs):
		s.act = moves
	case s.had != s.has:
		s.act = tunes
	default:
		return
	}
	if s.act != starts {
		t.charge(v, s.held, s.had, -1)
	}
	t.charge(v, s.want.GPUs, s.has, 1)
}

// same reports whether two allocations are equal, at once where they are one slice.
func same(a, b []cluster.GPU) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// settle puts wants off until nothing is given out twice: the later in the list first. Who is put
// off keeps what it has, and that may put off others.
func (t *Target) settle(v *sim.View) {
	for again := true; again; {
		again = false
		for i := len(t.steps) - 1; i >= 0; i-- {
			s := &t.steps[i]
			if s.act == stays || s.act == fails || t.fits(v, s) {
				continue
			}
			t.charge(v, s.want.GPUs, s.has, -1)
			if s.act != starts {
				t.charge(v, s.held, s.had, 1)
			}
			s.act, again = fails, true
		}
	}
	for i := range t.steps {
		if s := &t.steps[i]; s.act == fails {
			t.late = append(t.late, s.want.Job)
		}
	}
}

// fits reports whether all that a want gains is there for it.
func (t *Target) fits(v *sim.View, s *step) bool {
	top, h := v.Topology(), 0
	host := s.has.CPUMilli > s.had.CPUMilli || s.has.MemMiB > s.had.MemMiB
	for _, g := range s.want.GPUs {
		if g < 0 || int(g) >= top.GPUs() {
			continue // the kernel names it
		}
		for h < len(s.held) && s.held[h] < g {
			h++
		}
		own := h < len(s.held) && s.held[h] == g
		if !own && !v.Up(g) || (!own || s.has.ShareMilli > s.had.ShareMilli) && t.gpu.at(g, int64(v.Share(g))) > 1000 {
			return false
		}
		if (!own || host) && s.has.CPUMilli|s.has.MemMiB != 0 && !t.carries(v, top.Machine(g)) {
			return false
		}
	}
	return true
}

// carries reports whether a machine's CPU and memory are enough for all that is wanted of it.
func (t *Target) carries(v *sim.View, m int) bool {
	cpu, mem := v.HostUsed(m)
	c, k := v.Topology().CPUMilli(m), v.Topology().MemMiB(m)
	return (c == 0 || t.cpu.at(cluster.GPU(m), cpu) <= c) && (k == 0 || t.mem.at(cluster.GPU(m), mem) <= k)
}

// charge books (sign 1) or gives back (-1) an allocation.
func (t *Target) charge(v *sim.View, gpus []cluster.GPU, k sim.Knobs, sign int64) {
	top := v.Topology()
	for _, g := range gpus {
		if g < 0 || int(g) >= top.GPUs() {
			continue
		}
		t.gpu.add(g, int64(v.Share(g)), sign*int64(k.ShareMilli))
		if k.CPUMilli|k.MemMiB != 0 {
			m := top.Machine(g)
			cpu, mem := v.HostUsed(m)
			t.cpu.add(cluster.GPU(m), cpu, sign*int64(k.CPUMilli))
			t.mem.add(cluster.GPU(m), mem, sign*int64(k.MemMiB))
		}
	}
}

// ledger keeps a sum per GPU or machine, which begins with what is in use when it is first asked
// for.
type ledger struct {
	sum   []int64
	stamp []uint32
	now   uint32
}

func (l *ledger) open(n int) {
	if len(l.sum) != n || l.now == 1<<32-1 {
		l.sum, l.stamp, l.now = make([]int64, n), make([]uint32, n), 0
	}
	l.now++
}

func (l *ledger) at(i cluster.GPU, used int64) int64 {
	if l.stamp[i] != l.now {
		l.stamp[i], l.sum[i] = l.now, used
	}
	return l.sum[i]
}

func (l *ledger) add(i cluster.GPU, used, by int64) { l.sum[i] = l.at(i, used) + by }
