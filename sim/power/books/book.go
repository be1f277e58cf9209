package books

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
)

// Part is a part of what a cluster draws.
type Part uint8

// The parts.
const (
	// Off: machines that are off.
	Off Part = iota
	// Boot: machines that boot, and the energy of a cycle (power.Spec.CycleJ), at its boot.
	Boot
	// Idle: machines that are on or stopping, without their GPUs, also while jobs run there.
	Idle
	// GPUIdle: the GPUs of these machines, as they draw without use.
	GPUIdle
	// Busy: what the use of GPUs adds.
	Busy
	// Parts is how many there are.
	Parts
)

// Book is the energy of one run from its beginning; an observer. It holds a few numbers of each
// machine and of each job in the system. Nothing is allocated once as many jobs as run together
// have run.
type Book struct {
	model    *power.Model
	top      *cluster.Topology
	now      sim.Time
	total    account
	all      Energy // of all parts
	nw       int64  // what the cluster draws
	peak     int64  // the most that it drew for a time since TakeMaxW
	most     int64  // and before
	meters   meters
	machines []machine
	jobs     []job
	vacant   []int32 // of jobs
	slot     []int32 // by job: 1 + place in jobs; 0 = it has none
	later    []int32 // a heap of changes to come: a place in jobs, or ^machine
	boots    int
	stops    int
	err      error
	ended    func(r *sim.Record, busy Energy)
}

// account is what is drawn by part, and was up to an instant.
type account struct {
	nw  [Parts]int64
	sum [Parts]Energy
	at  sim.Time
}

// machine is one machine.
type machine struct {
	account
	state, next power.State
	change
	bootAt, readyAt sim.Time // of the last boot
}

// job is a job in the system that has drawn.
type job struct {
	draws, next []draw
	change
	nw  int64
	sum Energy
	at  sim.Time
}

// draw is what the use of GPUs of one machine adds.
type draw struct {
	machine int32
	nw      int64
}

// change is when a change to come begins; place is 1 + its place in Book.later, 0 = none is to come.
type change struct {
	due   sim.Time
	place int32
}

// New opens the book of a run at 0, with all machines on. ended receives what the use of GPUs by each
// job added, when the job ends or the run does; nil = it is not of interest.
func New(m *power.Model, top *cluster.Topology, ended func(r *sim.Record, busy Energy)) (*Book, error) {
	if err := m.Validate(top.Machines()); err != nil {
		return nil, err
	}
	b := &Book{model: m, top: top, machines: make([]machine, top.Machines()), ended: ended}
	most := 0.0
	for i := range b.machines {
		lo, hi := top.MachineGPUs(i)
		spec := m.Spec(i)
		most += max(spec.OffW, spec.BootW, spec.MaxW(int(hi-lo)))
	}
	if most > mostNW/1e9 {
		return nil, fmt.Errorf("power: the machines draw up to %g W, expected at most %g", most, mostNW/1e9)
	}
	for i := range b.machines {
		b.set(int32(i), power.On)
	}
	b.meters.turn(m, 0, Energy{})
	return b, nil
}

// Machine takes the state of a machine from an instant on. A change that would begin after it is
// forgotten.
func (b *Book) Machine(i int32, s power.State, from sim.Time) {
	b.replace(^i, from)
	b.machines[i].next = s
	b.plan(^i, from)
}

// Draw takes the use of GPUs by a job from an instant on: utilFrac of each at a clock of freqFrac. A
// change that would begin after it is forgotten.
func (b *Book) Draw(id sim.JobID, gpus []cluster.GPU, utilFrac, freqFrac float64, from sim.Time) {
	if utilFrac == 0 && b.place(id) < 0 {
		return
	}
	k := b.open(id)
	b.replace(k, from)
	j, sum := &b.jobs[k], int64(0)
	j.next = j.next[:0]
	for i := 0; i < len(gpus) && utilFrac > 0; {
		m, n := b.top.Machine(gpus[i]), 0
		for ; i < len(gpus) && b.top.Machine(gpus[i]) == m; i++ {
			n++
		}
		per := nanowatts(float64(utilFrac * b.model.Spec(m).BusyW(freqFrac)))
		if per > (mostNW-sum)/int64(n) {
			b.err = fmt.Errorf("power: a job draws more than %g W, which is the most of a cluster", mostNW/1e9)
			break
		}
		sum += int64(n) * per
		j.next = append(j.next, draw{int32(m), int64(n) * per})
	}
	b.plan(k, from)
}

// Job closes the book of a job.
func (b *Book) Job(r *sim.Record) {
	sum := Energy{}
	if k := b.place(r.Job); k >= 0 {
		if b.jobs[k].place > 0 { // its last draw ended at this instant
			b.Advance(b.jobs[k].due)
		}
		j := &b.jobs[k]
		j.next = j.next[:0]
		b.turn(k)
		sum = j.sum
		b.slot[r.Job], b.vacant = 0, append(b.vacant, k)
	}
	if b.ended != nil {
		b.ended(r, sum)
	}
}

// Interval changes nothing.
func (b *Book) Interval(*sim.Interval) {}

// Instant moves the book to an instant.
func (b *Book) Instant(g *sim.Gauge) { b.Advance(g.Now) }

// place is where the book of a job lies in jobs; -1 = it has none.
func (b *Book) place(id sim.JobID) int32 {
	if int(id) >= len(b.slot) {
		return -1
	}
	return b.slot[id] - 1
}

// open finds the book of a job, or opens it.
func (b *Book) open(id sim.JobID) int32 {
	if k := b.place(id); k >= 0 {
		return k
	}
	for int(id) >= len(b.slot) {
		b.slot = append(b.slot, 0)
	}
	k := int32(len(b.jobs))
	if n := len(b.vacant); n > 0 {
		k, b.vacant = b.vacant[n-1], b.vacant[:n-1]
	} else {
		b.jobs = append(b.jobs, job{})
	}
	j := &b.jobs[k]
	*j = job{draws: j.draws[:0], next: j.next[:0], at: b.now}
	b.slot[id] = k + 1
	return k
}
