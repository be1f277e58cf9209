package gandiva

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Gandiva scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	place   *plan.Placer
	fleet   *fleet
	wide    plan.Queue // jobs wider than a server that wait
	visits  []visit    // wide jobs that hold GPUs or are promised some
	home    []int32    // job -> server, nowhere for none
	narrow  []bool     // job -> fits a server
	run0    []sim.Time // job -> its running time when it got its GPUs
	oneType bool
	broken  bool // GPUs are down

	homeless []sim.JobID // jobs that no server can hold while GPUs are down
	again    []sim.JobID // jobs that lost their GPUs to a fault at this instant
	touched  []int32     // servers whose GPUs or suspended jobs changed
	isTouch  []bool
	scratch  []int32
	moved    []sim.JobID // by thin, at this instant
	out      []sim.Decision
	joined   float64 // number of times that a wide job joined the queue
	turns    plan.Alarm
	buf      []cluster.GPU

	pals          []pal // packing: by job; nil = no packing
	hosts, guests []sim.JobID
	trying, spare []int32 // servers with a trial
	growth
}

type config struct {
	quantum           sim.Time // Never = no time slicing
	affinity, migrate bool
	defrag            float64
	packing, grow     bool
	idle              sim.Time
}

const nowhere = int32(-1)

// New reads the parameters. The error joins every fault.
//
//  1. A job that fits a server is homed on the least loaded server of its affinity (GPUs asked
//     for) with room, else on an unassigned server, else on any with room, else on the least
//     loaded one although it is full.
//  2. Servers with more jobs than room turn over every quantum: suspended jobs start in their
//     order, the jobs that ran longest make room.
//  3. When a job ends, a suspended job of the most crowded server moves to the freed GPUs; a job
//     spread over racks moves where it fits; a nearly empty server moves its jobs to fuller ones.
//  4. packing=true: at a turn the suspended job of least utilisation runs beside the running one
//     of least for a quantum; the pair stays if the sum of both rates, as parts of those alone,
//     exceeds 1.
//  5. grow=true: elastic jobs get GPUs of their server idle for idle_s, and give them back when a
//     job waits there.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule)}
	p.cfg.quantum = sim.Never
	if q := s.Float("quantum", 60, 0.001, math.Inf(1)); !math.IsInf(q, 1) {
		p.cfg.quantum = sim.Seconds(q)
	}
	p.cfg.affinity = s.Bool("affinity", true)
	p.cfg.migrate = s.Bool("migrate", true)
	p.cfg.defrag = s.Float("defrag", 0.75, 0, math.Inf(1))
	if p.cfg.packing = s.Bool("packing", false); p.cfg.packing && p.cfg.quantum == sim.Never {
		s.FaultAt("packing", "packing tries pairs for a quantum each, expected quantum below inf beside it")
	}
	p.cfg.grow = s.Bool("grow", false)
	if p.cfg.idle = sim.Seconds(s.Float("idle_s", 600, 0.001, 1e9)); !p.cfg.grow && s.Has("idle_s") {
		s.FaultAt("idle_s", "idle_s is how long jobs wait before they grow, expected grow=true beside it")
	}
	return p, s.Err()
}

// Knows declares nothing.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide follows what happened, turns over at a multiple of the quantum, gives out what is free
// and moves jobs to what an ending job left.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.fleet == nil {
		p.init(v)
	}
	p.out, p.gpus = out, p.gpus[:0]
	p.place.Begin(v)
	turn, freed := p.follow(v)
	if turn {
		p.turn(v)
	}
	p.serve(v)
	if freed && p.cfg.migrate {
		p.compact(v)
		p.serve(v) // with what the moved have left
	}
	p.wake(v, len(out))
	p.stretch(v)
	for _, m := range p.touched {
		p.isTouch[m] = false
	}
	p.touched = p.touched[:0]
	return p.out
}

func (p *Policy) init(v *sim.View) {
	t := v.Topology()
	p.fleet = newFleet(t)
	p.oneType = len(t.Types()) == 1
	p.home = make([]int32, v.NumJobs())
	for i := range p.home {
		p.home[i] = nowhere
	}
	p.narrow = make([]bool, v.NumJobs())
	p.run0 = make([]sim.Time, v.NumJobs())
	p.isTouch = make([]bool, t.Machines())
	if p.cfg.grow {
		p.growth.init(v.NumJobs(), t.Machines())
	}
	if p.cfg.packing {
		p.pals = make([]pal, v.NumJobs())
		for i := range p.pals {
			p.pals[i] = pal{mate: sim.NoJob, friend: sim.NoJob}
		}
	}
}

func (p *Policy) touch(m int32) {
	if !p.isTouch[m] {
		p.isTouch[m] = true
		p.touched = append(p.touched, m)
	}
}

func (p *Policy) demand(j sim.JobID) *plan.Demand { return p.wide.Demand(j) }

// follow takes in the events of the instant. It reports whether a turn is due and whether a job
// ended.
func (p *Policy) follow(v *sim.View) (turn, freed bool) {
	units := false
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Timer:
			turn = turn || ev.Key != growKey
		case sim.Finish:
			p.gone(v, ev.Job)
			freed = true
		case sim.Drained:
			p.suspended(v, ev.Job)
		case sim.OutOfMemory, sim.Fail, sim.Repair:
			if ev.Job == sim.NoJob {
				units = true
				continue
			}
			p.gone(v, ev.Job)
			p.again = append(p.again, ev.Job)
		}
	}
	if units {
		p.recount(v)
	}
	for _, j := range p.again {
		p.arrive(v, j)
	}
	p.again = p.again[:0]
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			p.arrive(v, ev.Job)
		}
	}
	return turn, freed
}

// arrive homes a job that waits, or queues it if no server can ever hold it.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	d := p.wide.Note(v, j)
	if _, ok := v.Topology().Finest(cluster.LevelMachine, int(d.GPUs), d.PerGPU()); ok {
		p.narrow[j] = p.fits(v, d)
	}
	if p.narrow[j] {
		p.settle(v, j)
		return
	}
	p.enqueue(v, j)
}

// fits reports whether one server can ever hold a demand.
func (p *Policy) fits(v *sim.View, d *plan.Demand) bool {
	for i := range p.fleet.groups {
		if g := &p.fleet.groups[i]; g.size >= d.GPUs && p.typed(g.typ, d.Type) {
			return true
		}
	}
	return false
}

func (p *Policy) enqueue(v *sim.View, j sim.JobID) {
	p.joined++
	p.wide.Add(v, j, p.joined, 0)
}

// gone takes a job that has lost its GPUs off the books.
func (p *Policy) gone(v *sim.View, j sim.JobID) {
	if m := p.home[j]; m >= 0 {
		p.part(v, j)
		p.fleet.stop(m, j)
		p.leave(j)
		return
	}
	p.dropVisit(j)
}

// suspended queues a job whose GPUs have become free after a preemption.
func (p *Policy) suspended(v *sim.View, j sim.JobID) {
	p.part(v, j)
	switch m := p.home[j]; {
	case m < 0:
		p.dropVisit(j)
		p.enqueue(v, j)
	case p.demand(j).GPUs > p.fleet.servers[m].up: // GPUs failed meanwhile
		p.leave(j)
		p.arrive(v, j)
	default:
		p.fleet.suspend(m, j)
		p.touch(m)
	}
}

// preempt suspends a running job, and who is packed with it; its GPUs are free at once unless a
// checkpoint takes time.
func (p *Policy) preempt(v *sim.View, j sim.JobID) {
	p.out = append(p.out, sim.Decision{Kind: sim.Preempt, Job: j})
	if m := p.home[j]; m >= 0 {
		p.fleet.stop(m, j)
	}
	free := v.Run(j).CheckpointTime() == 0
	if x := p.mateOf(j); x != sim.NoJob {
		free = p.both(v, j, x) && free
	}
	if free {
		d := *p.demand(j)
		if p.pals != nil {
			d.ShareMilli = int32(v.Share(v.Run(j).Held()[0])) // of both
		}
		p.place.Vacate(v, j, &d)
	}
	if v.Run(j).CheckpointTime() == 0 {
		p.suspended(v, j)
	}
}

// recount counts the GPUs that are not down, after a failure or repair of a unit; it looks at every
// GPU.
func (p *Policy) recount(v *sim.View) {
	t := v.Topology()
	p.broken = false
	for i := len(p.visits) - 1; i >= 0; i-- { // promises may not hold any more
		if w := p.visits[i]; w.promised {
			p.dropVisit(w.job)
			p.wide.Add(v, w.job, p.wide.Key(w.job), 0)
		}
	}
	for m := range p.fleet.servers {
		s := &p.fleet.servers[m]
		lo, hi := t.MachineGPUs(m)
		old := s.up
		s.up = 0
		for g := lo; g < hi; g++ {
			if v.Owner(g) != sim.NoJob || v.Free().Has(g) {
				s.up++
			}
		}
		p.broken = p.broken || s.up < s.size
		if s.up != old {
			p.fleet.rank(int32(m))
			p.touch(int32(m))
			p.evict(int32(m))
		}
	}
	p.again = append(p.again, p.homeless...)
	p.homeless = p.homeless[:0]
}

// evict sends away the suspended jobs that a server with GPUs down cannot hold.
func (p *Policy) evict(m int32) {
	s := &p.fleet.servers[m]
	for i := 0; i < s.suspended.len(); {
		j := s.suspended.at(i)
		if p.demand(j).GPUs <= s.up {
			i++
			continue
		}
		s.suspended.take(i)
		p.leave(j)
		p.again = append(p.again, j)
	}
	p.fleet.rank(m)
}

// wake asks for the next turn while a job waits for one.
func (p *Policy) wake(v *sim.View, before int) {
	at := sim.Never
	waits := p.fleet.crowded.Len() > 0 || p.wide.Len() > 0 || len(p.trying) > 0
	alive := len(v.Running()) > 0 || v.Draining() > 0 || len(p.out) > before
	if q := p.cfg.quantum; q != sim.Never && waits && alive {
		at = (v.Now()/q + 1) * q
	}
	p.out = p.turns.Set(v.Now(), at, p.out)
}
