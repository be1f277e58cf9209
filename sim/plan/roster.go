package plan

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Ties states which of two jobs of equal key a Roster takes first.
type Ties uint8

const (
	// ByArrival takes the earlier JobID first, that is by (submit, id).
	ByArrival Ties = iota
	// InPlace keeps one list, sorted in place at each decision: the order of the decision before
	// survives a tie.
	InPlace
	// WaitingFirst keeps two lists, of waiting and of running jobs, each in the order of joining
	// it; waiting jobs go first.
	WaitingFirst
	// RunningFirst is InPlace, and after each decision the jobs of a key that wait are put behind
	// running jobs.
	RunningFirst
)

// Roster plans orders that preempt as schedulers do that keep explicit lists of jobs: it selects by
// the number of GPUs in key order, passing over misfits; running jobs that are not selected are
// preempted, the selected waiting jobs are placed in order. A selected job that cannot be placed
// waits, and what it was to get stays unused until the next decision.
//
// Rebuild plans the same orders at lower cost: a Roster sorts all jobs in the system at each
// decision. It is for what needs the lists: Ties, and a Penalty.
//
// Call Follow at every instant and Decide where there is something to decide.
type Roster struct {
	// Key ranks running and waiting jobs, smaller first.
	Key Key
	// Ties is the order of equal keys.
	Ties Ties
	// Put chooses and takes the GPUs of a job that starts; nil = Placer.Place.
	Put func(v *sim.View, p *Placer, j sim.JobID, d *Demand) ([]cluster.GPU, bool)
	// Penalty is the time that a preemption adds to what the job has left, by the demand of the
	// job; nil = none. The job works it off when it runs again, over several runs if it is
	// preempted meanwhile.
	Penalty func(v *sim.View, d *Demand) sim.Time
	// Interrupt is the time that a running job loses in each interval between two decisions except
	// the interval that its end closes (all of the interval when that is shorter); nil = none. It
	// is charged by a preemption and a start at once, where preemptions leave no checkpoint to be
	// written; else when the job starts again.
	Interrupt func(v *sim.View, j sim.JobID) sim.Time
	// Repack takes all jobs off the cluster at each decision and places them again in order,
	// passing over jobs that find no place: running jobs may move. Each that runs on counts as
	// preempted and started. While a preemption would leave a checkpoint to be written, decisions
	// are as without.
	Repack bool

	list   []sim.JobID
	jobs   []listed
	order  []rankedIn
	chosen []sim.JobID
	last   sim.Time // of the last decision, for Interrupt
	q      Queue    // has the demands; no job waits in it
	cap    capacities
}

// listed is the entry of a job in a Roster.
type listed struct {
	on      bool // holds GPUs that a decision of the roster gave
	in      bool // is in the list
	granted sim.Time
	gpus    sim.Time // number held
	debt    sim.Time // penalty not worked off when it was granted GPUs, or now if it holds none
	held    sim.Time // GPU-time held in earlier grants
}

// maxDebt bounds what penalties add up to, 4500 years, so that no sum of times overflows.
const maxDebt = 1 << 57

type rankedIn struct {
	key float64
	job sim.JobID
}

// Jobs lists the jobs in the system in the order of the list. It must not be changed.
func (r *Roster) Jobs() []sim.JobID { return r.list }

// Debt is how much of a job's penalties is not worked off now.
func (r *Roster) Debt(v *sim.View, j sim.JobID) sim.Time {
	if l := &r.jobs[j]; l.on {
		return max(0, l.debt-(v.Now()-l.granted))
	}
	return r.jobs[j].debt
}

// Held is the GPU-time for which a job has held GPUs, in GPU-microseconds: service with all pauses.
func (r *Roster) Held(v *sim.View, j sim.JobID) sim.Time {
	l := &r.jobs[j]
	if l.on {
		return l.held + (v.Now()-l.granted)*l.gpus
	}
	return l.held
}

// Follow takes note of what happened at this instant.
func (r *Roster) Follow(v *sim.View) {
	if r.jobs == nil {
		r.jobs = make([]listed, v.NumJobs())
	}
	r.cap.follow(v)
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob {
			continue
		}
		switch ev.Kind {
		case sim.Arrive:
			r.q.Note(v, ev.Job)
			r.Last(ev.Job)
		case sim.Finish:
			r.remove(ev.Job)
			r.jobs[ev.Job].on = false
		case sim.Drained, sim.OutOfMemory, sim.Fail:
			if v.Run(ev.Job).State() == sim.Waiting {
				r.stop(v, ev.Job)
				r.moved(ev.Job)
			}
		}
	}
}

// Last puts a job at the end of the list.
func (r *Roster) Last(j sim.JobID) {
	r.remove(j)
	r.list = append(r.list, j)
	r.jobs[j].in = true
}

func (r *Roster) remove(j sim.JobID) {
	if !r.jobs[j].in {
		return
	}
	i := slices.Index(r.list, j)
	r.list = slices.Delete(r.list, i, i+1)
	r.jobs[j].in = false
}

// moved takes note that a job went from the waiting to the running jobs, or back.
func (r *Roster) moved(j sim.JobID) {
	if r.Ties == WaitingFirst {
		r.Last(j)
	}
}

// stop settles what a job has worked off and held.
func (r *Roster) stop(v *sim.View, j sim.JobID) {
	l := &r.jobs[j]
	l.debt, l.held, l.on = r.Debt(v, j), r.Held(v, j), false
}

// Decide appends the decisions of one instant. Without waiting jobs it only keeps the list in
// order.
func (r *Roster) Decide(v *sim.View, p *Placer, out []sim.Decision) []sim.Decision {
	if r.Interrupt != nil {
		r.charge(v)
	}
	r.sort(v)
	switch {
	case r.Repack && r.movable(v):
		out = r.repack(v, p, out)
		r.settle()
		return out
	case v.Waiting() == 0 && r.Interrupt == nil:
		return out
	}
	p.Begin(v)
	r.cap.open(v)
	r.chosen = r.chosen[:0]
	for _, x := range r.order {
		switch j := x.job; v.Run(j).State() {
		case sim.Running:
			if !r.cap.hold(v, &r.q, j) {
				out = r.preempt(v, p, j, out)
			} else if r.Interrupt != nil && v.Run(j).CheckpointTime() == 0 {
				out = append(out, sim.Decision{Kind: sim.Preempt, Job: j}, r.grant(v, j, v.Run(j).Held()))
			}
		case sim.Waiting:
			if r.cap.claim(r.q.Demand(j)) {
				r.chosen = append(r.chosen, j)
			}
		}
	}
	for _, j := range r.chosen {
		out = r.start(v, p, j, out)
	}
	r.settle()
	return out
}

func (r *Roster) preempt(v *sim.View, p *Placer, j sim.JobID, out []sim.Decision) []sim.Decision {
	d := r.q.Demand(j)
	r.stop(v, j)
	if r.Penalty != nil {
		r.jobs[j].debt = min(r.jobs[j].debt+r.Penalty(v, d), maxDebt)
	}
	if v.Run(j).CheckpointTime() == 0 { // else it begins to wait when its GPUs are released
		p.Vacate(v, j, d)
		r.moved(j)
	}
	return append(out, sim.Decision{Kind: sim.Preempt, Job: j})
}

func (r *Roster) start(v *sim.View, p *Placer, j sim.JobID, out []sim.Decision) []sim.Decision {
	gpus, ok := []cluster.GPU(nil), false
	if d := r.q.Demand(j); r.Put != nil {
		gpus, ok = r.Put(v, p, j, d)
	} else {
		gpus, ok = p.Place(v, d)
	}
	if !ok {
		return out
	}
	r.moved(j)
	return append(out, r.grant(v, j, gpus))
}

// grant is the start of a job that is settled.
func (r *Roster) grant(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Decision {
	l := &r.jobs[j]
	l.on, l.granted, l.gpus = true, v.Now(), sim.Time(len(gpus))
	return sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus, Knobs: sim.Knobs{Delay: l.debt}}
}

// charge settles the running jobs and adds what the interval since the last decision costs them.
func (r *Roster) charge(v *sim.View) {
	for _, j := range r.list {
		if l := &r.jobs[j]; l.on {
			lost := min(v.Now()-r.last, r.Interrupt(v, j))
			l.debt, l.held, l.granted = min(r.Debt(v, j)+lost, maxDebt), r.Held(v, j), v.Now()
		}
	}
	r.last = v.Now()
}

// movable reports whether all jobs can be taken off and started again at once.
func (r *Roster) movable(v *sim.View) bool {
	for _, x := range r.order {
		if r.jobs[x.job].on && v.Run(x.job).CheckpointTime() > 0 {
			return false
		}
	}
	return v.Draining() == 0
}

// repack takes all jobs off and places them again.
func (r *Roster) repack(v *sim.View, p *Placer, out []sim.Decision) []sim.Decision {
	p.Begin(v)
	for _, x := range r.order {
		if r.jobs[x.job].on {
			r.stop(v, x.job)
			p.Vacate(v, x.job, r.q.Demand(x.job))
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: x.job})
		}
	}
	for _, x := range r.order {
		out = r.start(v, p, x.job, out)
	}
	return out
}

// Holds is the number of GPUs that a job has by the roster's last decision; 0 = it waits.
func (r *Roster) Holds(j sim.JobID) int {
	if l := &r.jobs[j]; l.on {
		return int(l.gpus)
	}
	return 0
}

// sort fills order with the jobs as they are to be served.
func (r *Roster) sort(v *sim.View) {
	r.order = r.order[:0]
	add := func(j sim.JobID) { r.order = append(r.order, rankedIn{r.Key(v, j), j}) }
	switch r.Ties {
	case WaitingFirst:
		for _, on := range [...]bool{false, true} {
			for _, j := range r.list {
				if r.jobs[j].on == on {
					add(j)
				}
			}
		}
	default:
		for _, j := range r.list {
			add(j)
		}
	}
	if r.Ties == ByArrival {
		slices.SortFunc(r.order, func(a, b rankedIn) int {
			if c := cmp.Compare(a.key, b.key); c != 0 {
				return c
			}
			return cmp.Compare(a.job, b.job)
		})
		return
	}
	slices.SortStableFunc(r.order, func(a, b rankedIn) int { return cmp.Compare(a.key, b.key) })
	if r.Ties != WaitingFirst {
		r.list = r.list[:0]
		for _, x := range r.order {
			r.list = append(r.list, x.job)
		}
	}
}

// settle puts, for RunningFirst, the waiting jobs of each key behind the running ones.
func (r *Roster) settle() {
	if r.Ties != RunningFirst {
		return
	}
	r.list = r.list[:0]
	for i := 0; i < len(r.order); {
		end := i
		for end < len(r.order) && r.order[end].key == r.order[i].key {
			end++
		}
		for _, on := range [...]bool{true, false} {
			for _, x := range r.order[i:end] {
				if r.jobs[x.job].on == on {
					r.list = append(r.list, x.job)
				}
			}
		}
		i = end
	}
}

// Clone gives an independent copy but for the functions: replace the functions that belong to the
// policy.
func (r *Roster) Clone() Roster {
	c := *r
	c.list, c.jobs, c.q = slices.Clone(r.list), slices.Clone(r.jobs), r.q.Clone()
	c.order, c.chosen = nil, nil
	c.cap.usable, c.cap.left = slices.Clone(r.cap.usable), slices.Clone(r.cap.left)
	return c
}
