package hadar

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Hadar scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	target plan.Target
	books  plan.Queue // the demands of jobs; no job is in it
	types  []kind
	hosts  []host
	jobs   []job
	rates  []float64     // job x type: speed on the GPUs that it asks for, close together; 0 = none
	active []sim.JobID   // not ended, by arrival
	wants  []plan.Want   // of this round
	held   []cluster.GPU // their GPUs
	queue  []bid
	rest   []int32
	round  plan.Alarm // the next

	find   finder
	search search
	taken  []bool
	buf    []cluster.GPU
	forks  *forks // of HadarE; nil = Hadar
}

type config struct {
	round     sim.Time
	jct, fill bool
	estimate  bool
	eta, comm float64
	restart   float64 // seconds
	exact     int
}

// kind is a type of GPU.
type kind struct {
	name     string
	machines []int32
	gpus     int
	low, ln  float64 // the lowest price, and the logarithm of the highest over it
}

// host is a machine in the plan of a round.
type host struct {
	kind     int32
	up, free int32 // GPUs that are not down, and how many of them are free
	cpu, mem int64 // that is left; MaxInt64 = not constrained
	price    float64
}

// job is what the policy keeps of one.
type job struct {
	gpus     int32
	submit   sim.Time
	guess    float64 // the estimated work, doubled when outlived
	cpu, mem int32
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	p := newPolicy(s)
	p.cfg.comm = s.Float("comm", 0, 0, 1e9)
	p.cfg.exact = s.Int("exact", 8, 0, 16)
	p.cfg.fill = s.Bool("fill", false)
	return p, s.Err()
}

// newPolicy reads what Hadar and HadarE have in common.
func newPolicy(s *param.Set) *Policy {
	p := &Policy{}
	p.cfg.round = sim.Seconds(s.Float("round", 360, 0.001, 1e9))
	p.cfg.jct = s.Enum("utility", "jct", "throughput") == "jct"
	p.cfg.estimate = s.Enum("by", "work", "estimate") == "estimate"
	p.cfg.eta = s.Float("eta", 1, 0.25, 1e9)
	p.cfg.restart = s.Float("restart_s", 10, 0, 1e9)
	return p
}

// Knows declares speeds, and the work left or its estimate.
func (p *Policy) Knows() know.Set {
	if p.cfg.estimate {
		return know.Speed | know.Estimate | know.Done
	}
	return know.Speed | know.Work
}

// Decide plans a round when one is due, and gives GPUs out that were not free when it began.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.hosts == nil {
		p.initialise(v)
	}
	again := p.follow(v)
	before := len(out)
	switch {
	case len(p.active) > 0 && p.round.At(v.Now()) == sim.Never:
		if p.forks != nil {
			p.fork(v)
			out = p.average(v, before, p.target.Decide(v, p.wants, out))
		} else {
			p.plan(v)
			out = p.target.Decide(v, p.wants, out)
		}
		if len(v.Running()) > 0 || v.Draining() > 0 || len(out) > before {
			out = p.round.Set(v.Now(), v.Now()+p.cfg.round, out)
		}
	case len(p.active) == 0 && p.round.At(v.Now()) != sim.Never:
		out = p.round.Set(v.Now(), sim.Never, out)
	case again:
		out = p.target.Decide(v, p.wants, out)
	}
	return out
}

// follow takes in the events of the instant. It reports whether GPUs may have come back that jobs
// of this round wait for.
func (p *Policy) follow(v *sim.View) (again bool) {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			p.join(v, ev.Job)
		case sim.Finish:
			if i, ok := slices.BinarySearch(p.active, ev.Job); ok {
				p.active = slices.Delete(p.active, i, i+1)
			}
			p.wants = slices.DeleteFunc(p.wants, func(w plan.Want) bool { return w.Job == ev.Job })
		case sim.Drained, sim.OutOfMemory, sim.Fail, sim.Repair:
			again = true
		}
	}
	return again
}

func (p *Policy) initialise(v *sim.View) {
	t := v.Topology()
	p.hosts = make([]host, t.Machines())
	for _, name := range t.Types() {
		p.types = append(p.types, kind{name: name})
	}
	for m := range p.hosts {
		k := slices.Index(t.Types(), t.Type(m))
		lo, hi := t.MachineGPUs(m)
		p.hosts[m].kind = int32(k)
		p.types[k].machines = append(p.types[k].machines, int32(m))
		p.types[k].gpus += int(hi - lo)
	}
	p.taken = make([]bool, t.GPUs())
}

// join books a job that has arrived, and asks for its speed on each type.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	if n := v.NumJobs(); len(p.jobs) < n {
		p.jobs = append(p.jobs, make([]job, n-len(p.jobs))...)
		p.rates = append(p.rates, make([]float64, n*len(p.types)-len(p.rates))...)
	}
	d := p.books.Note(v, j)
	if p.forks != nil {
		d = &plan.Demand{GPUs: p.copyOf(v, j), CPUMilli: d.CPUMilli, MemMiB: d.MemMiB}
	}
	p.jobs[j] = job{gpus: d.GPUs, submit: v.Job(j).Submit(), guess: v.Job(j).Estimate(), cpu: d.CPUMilli, mem: d.MemMiB}
	i, _ := slices.BinarySearch(p.active, j)
	p.active = slices.Insert(p.active, i, j)
	for k := range p.types {
		if p.forks != nil {
			p.rates[int(j)*len(p.types)+k] = p.copyRate(v, j, k)
			continue
		}
		p.rates[int(j)*len(p.types)+k] = p.profile(v, j, k)
	}
}

// profile is the speed of a job on GPUs of one type: of the first machine that holds all, else of
// the first machines. Of a type with too few it is the speed on all of them, scaled to the gang:
// the pace at which they would work in a mixed gang.
func (p *Policy) profile(v *sim.View, j sim.JobID, k int) float64 {
	t, g := v.Topology(), int(p.jobs[j].gpus)
	if !p.typed(v, j, k) {
		return 0
	}
	p.buf = p.buf[:0]
	for _, m := range p.types[k].machines {
		lo, hi := t.MachineGPUs(int(m))
		if int(hi-lo) >= g {
			p.buf = p.buf[:0]
		}
		for x := lo; x < hi && len(p.buf) < g; x++ {
			p.buf = append(p.buf, x)
		}
		if int(hi-lo) >= g {
			break
		}
	}
	return float64(v.Predict(j, sim.Placement{GPUs: p.buf, Alone: true}).Rate*float64(g)) / float64(len(p.buf))
}

// typed reports whether a job may run on a type.
func (p *Policy) typed(v *sim.View, j sim.JobID, k int) bool {
	want := v.Job(j).GPUType()
	return want == "" || len(p.types) == 1 || p.types[k].name == want
}

func (p *Policy) rate(j sim.JobID, k int) float64 { return p.rates[int(j)*len(p.types)+k] }

// work is a job's work in all and what is left of it, in seconds of one reference GPU.
func (p *Policy) work(v *sim.View, j sim.JobID) (all, left float64) {
	if !p.cfg.estimate {
		return v.Job(j).Work() / 1e6, v.Run(j).Left() / 1e6
	}
	x, done := &p.jobs[j], v.Run(j).Done()
	for x.guess <= done {
		x.guess = max(1, 2*x.guess)
	}
	return x.guess / 1e6, (x.guess - done) / 1e6
}

// open counts what there is to give out in a round.
func (p *Policy) open(v *sim.View) {
	t := v.Topology()
	for m := range p.hosts {
		h := &p.hosts[m]
		h.up = 0
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			if v.Up(g) {
				h.up++
			}
		}
		h.free, h.cpu, h.mem = h.up, math.MaxInt64, math.MaxInt64
		if c := t.CPUMilli(m); c > 0 {
			h.cpu = c
		}
		if c := t.MemMiB(m); c > 0 {
			h.mem = c
		}
		p.reprice(int32(m))
	}
}
