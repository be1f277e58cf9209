package ces

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Order is a queue order that the service can stand over: its name in settings and how to make it.
type Order struct {
	// Name is its value of the setting order.
	Name string
	// New reads its settings from the same set. The policy must decide nothing but starts of whole
	// jobs, set no timers, and clone itself.
	New func(s *param.Set, rule cluster.Rule) (sim.Policy, error)
}

// queue is an order and its waiting jobs.
type queue interface {
	sim.Policy
	Clone() sim.Policy
}

// power is the state of a machine.
type power uint8

const (
	awake power = iota
	asleep
	booting
)

// machine is what is kept of one.
type machine struct {
	power  power
	jobs   int32 // on it
	gpus   int32
	typ    int32    // index in Topology.Types
	idle   sim.Time // since when it is idle
	up     sim.Time // when its last boot ends or ended; 0 = it was never woken
	woken  sim.Time // when that boot began
	listed sim.Time // idle as its entry in Policy.resting has it; -1 = it has none
}

// Policy is the service over one queue. Build it with Over; it belongs to one run.
type Policy struct {
	cfg      config
	inner    queue
	spare    int // machines of the buffer
	machines []machine
	jobs     []job
	links    []link // which machines jobs are on
	vacant   int32  // first of the unused links, -1 = none
	wants    []want // per type, and last of jobs that take any
	waiting  int    // jobs
	asked    []want // the demand of jobs that wait for machines
	wanting  int    // jobs
	wanted   []sim.JobID
	running  int
	used     int     // machines with jobs
	sleeping int     // machines
	bootGPUs []int64 // per type
	boots    []int32 // machines in order of their boots
	head     int     // the first of them that is not up
	lifted   int     // the first of them that is cordoned
	resting  []rest  // forecast=none: idle machines by when they became so
	series   series
	model    model
	book     book
	quiet    int // ticks to come though nothing runs
	wakes    plan.Alarm
	virtual  bool // machines sleep in the books alone
}

// want is what waiting jobs ask for.
type want struct {
	jobs  int
	milli int64 // thousandths of a GPU
}

// rest is a machine that became idle at an instant.
type rest struct {
	machine int32
	since   sim.Time
}

// timer is the key of the service's WakeAt; queue orders use 0 if any.
const timer = 8

// Over gives the maker of the service over one of several queue orders; the first is the default.
// Settings: Params and the order's.
func Over(orders ...Order) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		p := &Policy{wakes: plan.Alarm{Key: timer}, vacant: -1}
		p.cfg.read(s)
		names := []string{}
		for _, o := range orders {
			names = append(names, o.Name)
		}
		name := s.Enum("order", names...)
		make := orders[0].New
		for _, o := range orders {
			if o.Name == name {
				make = o.New
			}
		}
		inner, err := make(s, rule)
		if err != nil {
			return nil, err
		}
		p.inner = inner.(queue)
		p.virtual = p.cfg.forecast == "perfect-off"
		return p, s.Err()
	}
}

// Knows is what the queue reads: the service counts machines and jobs.
func (p *Policy) Knows() know.Set { return p.inner.Knows() }

// Decide lets the queue start jobs, then wakes machines or puts them to sleep.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.machines == nil {
		p.init(v)
	}
	now := v.Now()
	p.book.until(now, p)
	p.pass(now)
	p.follow(v)
	p.arise(now)
	first := len(out)
	out = p.inner.Decide(v, out)
	for i := range out[first:] {
		if d := &out[first+i]; d.Kind == sim.Start {
			p.started(v, d)
		}
	}
	p.series.note(float64(p.used))
	if p.virtual {
		return out
	}
	started := out[first:len(out):len(out)]
	p.count(v)
	out = p.wake(v, started, out)
	out = p.sleep(v, out)
	out = p.lift(now, out)
	return p.alarm(now, out)
}

func (p *Policy) init(v *sim.View) {
	t := v.Topology()
	n := t.Machines()
	p.machines = make([]machine, n)
	p.wants, p.bootGPUs = make([]want, len(t.Types())+1), make([]int64, len(t.Types()))
	p.jobs = make([]job, 0, v.NumJobs())
	for m := n - 1; m >= 0; m-- { // of machines that are idle for as long the highest sleeps first
		lo, hi := t.MachineGPUs(m)
		p.machines[m] = machine{gpus: int32(hi - lo), idle: v.Now(), listed: -1}
		for i, name := range t.Types() {
			if name == t.Type(m) {
				p.machines[m].typ = int32(i)
			}
		}
		p.rest(int32(m), v.Now())
	}
	p.spare = p.cfg.spare(n)
	p.book.start(v.Now(), n)
	p.model.start(&p.cfg, n)
	p.series.start(v.Now(), max(p.model.reach(), p.cfg.history+2), p.cfg.tick)
}

// lift ends cordons a microsecond before their boots do, so that the queue sees the GPUs when these
// end.
func (p *Policy) lift(now sim.Time, out []sim.Decision) []sim.Decision {
	for ; p.lifted < len(p.boots) && p.machines[p.boots[p.lifted]].up-1 <= now; p.lifted++ {
		out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: p.boots[p.lifted]})
	}
	return out
}

// arise takes in the boots that end.
func (p *Policy) arise(now sim.Time) {
	for ; p.head < p.lifted && p.machines[p.boots[p.head]].up <= now; p.head++ {
		m := p.boots[p.head]
		x := &p.machines[m]
		x.power, x.idle = awake, now
		p.bootGPUs[x.typ] -= int64(x.gpus)
		p.rest(m, now)
	}
	if p.head > 0 && 2*p.head >= len(p.boots) {
		n := copy(p.boots, p.boots[p.head:])
		p.boots = p.boots[:n]
		p.lifted -= p.head
		p.head = 0
	}
}

// alarm sets the timer for the next boot, tick or sleep.
func (p *Policy) alarm(now sim.Time, out []sim.Decision) []sim.Decision {
	next := p.due(now)
	if p.lifted < len(p.boots) {
		next = min(next, p.machines[p.boots[p.lifted]].up-1)
	}
	if p.head < p.lifted {
		next = min(next, p.machines[p.boots[p.head]].up)
	}
	return p.wakes.Set(now, next, out)
}
