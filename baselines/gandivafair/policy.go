package gandivafair

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Gandiva_fair scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg       config
	place     *plan.Placer
	demands   plan.Queue // the demands of jobs; no job is in it
	names     map[string]int32
	users     []user
	active    []int32 // users with jobs, in the order in which they came
	tickets   float64 // of the active users
	jobs      []job
	rates     []float64 // job x type: rate on the GPUs that it asks for; empty unless types are traded
	gens      []generation
	typeNames []string
	top       *cluster.Topology
	hosted    bool // a job asks for CPU or memory
	total     int  // GPUs
	servers   []server
	wides     []wideJob
	sizes     [65]int // waiting jobs with a home by GPUs
	pendings  int
	until     sim.Time // end of the quantum that is charged
	balanceAt sim.Time
	turns     plan.Alarm
	dirty     bool // shares are out of date

	touched    []int32
	isTouch    []bool
	again      []sim.JobID
	scratch    []sim.JobID
	order      []int32
	hosts      []int32
	spaces     []int32
	wantedGens []bool
	least      []float64
	rank       []float64
	books      market
	figures    [3][]float64 // tickets, demands and parts of the active users
	out        []sim.Decision
	buf        []cluster.GPU
}

type config struct {
	quantum, balance, move sim.Time
	spread                 float64
	by                     string
	tickets                map[string]float64
	trade                  bool
}

// New reads the parameters. The error joins every fault.
//
//  1. A user has tickets; its jobs share them. What runs adds GPUs x time / tickets to the user's
//     pass; a new user begins at the present minimum.
//  2. Each quantum a server goes through its jobs by pass, the least first, and runs each whose
//     gang fits what is left.
//  3. Jobs wider than a server are scheduled before the servers: one runs if its pass is not
//     above the pass of any user with smaller jobs.
//  4. A new job is homed on the server with the least tickets per GPU; waiting jobs move from the
//     most to the least loaded server.
//  5. Users with different speed-ups exchange shares of GPU generations, at prices that leave no
//     user worse off.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule)}
	p.cfg.quantum = sim.Seconds(s.Float("quantum", 60, 0.001, 1e9))
	p.cfg.by = s.Enum("by", "user", "vc", "group")
	p.cfg.tickets = readTickets(s)
	p.cfg.trade = s.Bool("trade", true)
	p.cfg.balance = sim.Never
	if b := s.Float("balance", 300, 0.001, math.Inf(1)); !math.IsInf(b, 1) {
		p.cfg.balance = sim.Seconds(b)
	}
	p.cfg.spread = s.Float("spread", 0.25, 0, math.Inf(1))
	p.cfg.move = sim.Seconds(s.Float("move_s", 0, 0, 1e9))
	return p, s.Err()
}

// Knows declares the speeds, if generations are traded.
func (p *Policy) Knows() know.Set {
	if p.cfg.trade {
		return know.Speed
	}
	return know.Nothing
}

// Decide follows what happened, takes a turn at the end of a quantum, and lets nothing idle that a
// job can use.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.servers == nil {
		p.initialise(v)
	}
	p.out = out
	p.place.Begin(v)
	if p.follow(v) {
		p.turn(v)
	}
	p.contend(v)
	p.serve(v)
	p.contend(v)
	p.wake(v, len(out))
	for _, m := range p.touched {
		p.isTouch[m] = false
	}
	p.touched = p.touched[:0]
	return p.out
}

func (p *Policy) grow(v *sim.View) {
	if len(p.jobs) < v.NumJobs() {
		p.jobs = append(p.jobs, make([]job, v.NumJobs()-len(p.jobs))...)
		if p.priced() {
			p.rates = append(p.rates, make([]float64, v.NumJobs()*len(p.gens)-len(p.rates))...)
		}
	}
}

// priced reports whether speeds by type matter.
func (p *Policy) priced() bool { return p.cfg.trade && len(p.gens) > 1 }

func (p *Policy) demand(j sim.JobID) *plan.Demand { return p.demands.Demand(j) }
func (p *Policy) gpus(j sim.JobID) int32          { return p.demands.Demand(j).GPUs }

// follow takes in the events of the instant. It reports whether a turn is due.
func (p *Policy) follow(v *sim.View) (turn bool) {
	units := false
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Timer:
			turn = true
		case sim.Finish:
			p.stopped(v.Now(), ev.Job)
			p.touch(p.jobs[ev.Job].home)
			p.unhome(ev.Job)
			p.dropWide(ev.Job)
			p.quit(v, ev.Job)
		case sim.Drained:
			p.again = append(p.again, ev.Job)
		case sim.OutOfMemory, sim.Fail, sim.Repair:
			if ev.Job == sim.NoJob {
				units = true
				continue
			}
			p.stopped(v.Now(), ev.Job)
			p.again = append(p.again, ev.Job)
		}
	}
	if units {
		p.recount(v)
	}
	for _, j := range p.again {
		p.wait(v, j)
	}
	p.again = p.again[:0]
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			p.arrive(v, ev.Job)
		}
	}
	return turn
}

// arrive homes a job, or gives it to the central scheduler.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	d := p.demands.Note(v, j)
	p.hosted = p.hosted || d.CPUMilli > 0 || d.MemMiB > 0
	p.join(v, j)
	x := &p.jobs[j]
	x.wide = true
	for m := range p.servers {
		if x.wide = p.roomIn(int32(m), j) < d.GPUs; !x.wide {
			break
		}
	}
	p.profile(v, j)
	p.wait(v, j)
}

// wait lets a job wait that holds no GPUs.
func (p *Policy) wait(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	switch {
	case x.wide:
		p.waitWide(v, j)
		return
	case x.home >= 0 && p.gpus(j) <= p.servers[x.home].up:
	default:
		p.unhome(j)
		p.home(j, p.choose(v, j))
	}
	p.enqueue(j)
}

// stopped takes a job that has lost its GPUs off the running jobs.
func (p *Policy) stopped(now sim.Time, j sim.JobID) {
	x := &p.jobs[j]
	if x.where != runs {
		return
	}
	p.refund(now, j)
	x.where = away
	if x.wide {
		p.release(j)
		return
	}
	s := &p.servers[x.home]
	if i := slices.Index(s.running, j); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
	p.touch(x.home)
}

// preempt stops a running job; if its GPUs are free at once it waits at once.
func (p *Policy) preempt(v *sim.View, j sim.JobID) {
	p.out = append(p.out, sim.Decision{Kind: sim.Preempt, Job: j})
	p.stopped(v.Now(), j)
	if v.Run(j).CheckpointTime() == 0 {
		p.place.Vacate(v, j, p.demand(j))
		p.wait(v, j)
	}
}

// grant starts a job on a server, or with none on several.
func (p *Policy) grant(v *sim.View, j sim.JobID, gpus []cluster.GPU, m int32) {
	x := &p.jobs[j]
	p.late(v.Now(), j)
	x.run0, x.where = v.Run(j).Time(), runs
	d := sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}
	if x.last >= 0 && x.last != m {
		d.Delay = p.cfg.move
	}
	if x.last = m; m >= 0 {
		p.servers[m].running = append(p.servers[m].running, j)
	}
	p.out = append(p.out, d)
}

// wake asks for the next turn while jobs wait for one, and for the next balancing while types
// differ.
func (p *Policy) wake(v *sim.View, before int) {
	at, waits := sim.Never, p.pendings > 0
	for k := range p.gens {
		waits = waits || p.gens[k].waits > 0
	}
	alive := len(v.Running()) > 0 || v.Draining() > 0 || len(p.out) > before
	switch {
	case waits && alive:
		at = (v.Now()/p.cfg.quantum + 1) * p.cfg.quantum
	case alive && p.priced() && p.cfg.balance != sim.Never: // a faster type may have become free
		at = (v.Now()/p.cfg.balance + 1) * p.cfg.balance
	}
	p.out = p.turns.Set(v.Now(), at, p.out)
}
