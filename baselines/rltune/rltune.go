package rltune

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/rltune/program"
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Policy is one scheduler. Build it with NewPolicy; it belongs to one run.
type Policy struct {
	cfg     Settings
	by      Ruled
	rule    cluster.Rule
	books   plan.Queue // the demands of jobs; no job is in it
	place   *plan.Placer
	active  []sim.JobID // not ended, by arrival
	waiting []sim.JobID // of these, at the present instant
	// worth has, job by type, what a place counts: 0 = the job has none there on an empty cluster.
	worth []float64

	list    []Scored // scratch
	program program.Program
	front   []int     // scratch: places in the list of the program's jobs
	values  []float64 // scratch
	gpus    []cluster.GPU
	put     []bool // scratch: by place in the list
}

// Scored is a waiting job with its score; the least goes first, of equals the first to arrive.
type Scored struct {
	Job   sim.JobID
	Score float64
}

// least is the least that a job counts over the first in the order: the program distinguishes numbers
// that differ by a billionth of their sum.
const least = 1e-6

// Knows declares what the order and the places read.
func (p *Policy) Knows() know.Set { return p.by.Knows() }

// Decide maps the waiting jobs in the order of the rule.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.Begin(v)
	if !p.May(v) {
		return out
	}
	return p.Map(v, p.Rank(v, p.list[:0]), out)
}

// May reports whether a job waits and something may be free: a GPU, or part of one where jobs ask for
// parts.
func (p *Policy) May(v *sim.View) bool {
	return len(p.waiting) > 0 && (v.Free().Total() > 0 || p.books.Sharing())
}

// Begin takes in what happened at an instant.
func (p *Policy) Begin(v *sim.View) {
	if p.worth == nil {
		p.worth = make([]float64, v.NumJobs()*len(v.Topology().Types()))
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			p.join(v, ev.Job)
		case sim.Finish:
			if i, ok := slices.BinarySearch(p.active, ev.Job); ok {
				p.active = slices.Delete(p.active, i, i+1)
			}
		}
	}
	p.waiting = p.waiting[:0]
	for _, j := range p.active {
		if v.Run(j).State() == sim.Waiting {
			p.waiting = append(p.waiting, j)
		}
	}
}

// Waiting lists the jobs that wait, by arrival; valid until the next Begin.
func (p *Policy) Waiting() []sim.JobID { return p.waiting }

// Demand is what a job that has arrived asks for.
func (p *Policy) Demand(j sim.JobID) *plan.Demand { return p.books.Demand(j) }

// Rank appends the waiting jobs with the scores of the rule.
func (p *Policy) Rank(v *sim.View, dst []Scored) []Scored {
	for _, j := range p.waiting {
		dst = append(dst, Scored{j, p.Score(v, j)})
	}
	return dst
}

// Score is the score of the rule for a job that waits.
func (p *Policy) Score(v *sim.View, j sim.JobID) float64 { return p.by.score(v, j) }

// join books a job that has arrived, and finds what a place on each type counts.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	d, types := p.books.Note(v, j), v.Topology().Types()
	i, _ := slices.BinarySearch(p.active, j)
	p.active = slices.Insert(p.active, i, j)
	worth := p.worth[int(j)*len(types) : (int(j)+1)*len(types)]
	clear(worth)
	if d.ShareMilli < 1000 {
		return
	}
	for nth, k := range v.Topology().Fastest() {
		if d.Type != "" && len(types) > 1 && d.Type != types[k] {
			continue
		}
		if gpus := p.alone(v, d, k); len(gpus) > 0 {
			worth[k] = 1 - float64(p.cfg.Prefer*float64(nth))/float64(len(types))
			if p.by.Profiled {
				worth[k] = max(0, v.Predict(j, sim.Placement{GPUs: gpus, Alone: true}).Rate/v.Job(j).Width())
			}
		}
	}
	if best := slices.Max(worth); best > 0 {
		for k := range worth {
			worth[k] /= best
		}
	}
}

// alone gives the GPUs that a demand would have on a type of an empty cluster; none where it has no
// place there.
func (p *Policy) alone(v *sim.View, d *plan.Demand, k int) []cluster.GPU {
	t := v.Topology()
	p.program.Reset(len(t.Types()))
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		x := program.Machine{Type: t.TypeOf(m), GPUs: int(hi - lo), Size: int(hi - lo), CPUMilli: math.MaxInt,
			MemMiB: math.MaxInt}
		if c := t.CPUMilli(m); c > 0 {
			x.CPUMilli = int(c)
		}
		if c := t.MemMiB(m); c > 0 {
			x.MemMiB = int(c)
		}
		p.program.AddMachine(x)
	}
	p.values = slices.Grow(p.values[:0], len(t.Types()))[:len(t.Types())]
	clear(p.values)
	p.values[k] = 1
	p.gpus = p.gpus[:0]
	for _, x := range p.program.Behind(asks(d), p.values) {
		lo, _ := t.MachineGPUs(x.Machine)
		for g := range x.GPUs {
			p.gpus = append(p.gpus, lo+cluster.GPU(g))
		}
	}
	return p.gpus
}

// asks is a demand in the words of the program.
func asks(d *plan.Demand) program.Job {
	return program.Job{GPUs: int(d.GPUs), CPUMilli: int(d.CPUMilli), MemMiB: int(d.MemMiB)}
}

// Map starts jobs of a list, which waits: the program's at the front of the order, then in order what
// fits. The list is put in order.
func (p *Policy) Map(v *sim.View, list []Scored, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.gpus, p.list = p.gpus[:0], list
	sort(list)
	p.put = slices.Grow(p.put[:0], len(list))[:len(list)]
	clear(p.put)
	if len(list) > 0 && p.special(v, list[0].Job) {
		out = p.usual(v, 0, out)
	}
	p.load(v)
	if p.choose(v); len(p.front) > 0 {
		p.program.Solve(p.cfg.Nodes)
	}
	behind := 0
	for at, i := range p.front {
		out, behind = p.start(v, i, p.program.Parts(at), out), i+1
	}
	for i := behind; i < len(list); i++ {
		if j := list[i].Job; !p.special(v, j) {
			out = p.start(v, i, p.program.Behind(asks(p.books.Demand(j)), p.counts(v, i, 1)), out)
		}
	}
	for i := range list {
		if p.special(v, list[i].Job) && !p.put[i] {
			out = p.usual(v, i, out)
		}
	}
	return out
}

// sort puts jobs in order.
func sort(list []Scored) {
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Job, b.Job))
	})
}

// choose adds the jobs at the front to the program.
func (p *Policy) choose(v *sim.View) {
	p.front = p.front[:0]
	place := 1.0
	for i := range p.list {
		if len(p.front) == p.cfg.Front {
			return
		}
		if p.special(v, p.list[i].Job) {
			continue
		}
		w := place
		if p.cfg.Weigh != "rank" {
			w = fixmath.Exp(p.list[0].Score - p.list[i].Score)
		}
		p.program.AddJob(asks(p.books.Demand(p.list[i].Job)), p.counts(v, i, max(least, w)))
		p.front = append(p.front, i)
		place *= p.cfg.Decay
	}
}

// counts gives what each type counts for the i-th job of the list.
func (p *Policy) counts(v *sim.View, i int, w float64) []float64 {
	j, n := p.list[i].Job, len(v.Topology().Types())
	p.values = append(p.values[:0], p.worth[int(j)*n:(int(j)+1)*n]...)
	if p.cfg.Size > 0 {
		w *= fixmath.Pow(float64(p.books.Demand(j).GPUs), p.cfg.Size)
	}
	for k := range p.values {
		p.values[k] *= w
	}
	return p.values
}

// special reports whether a job has no place of the program's.
func (p *Policy) special(v *sim.View, j sim.JobID) bool {
	n := len(v.Topology().Types())
	return slices.Max(p.worth[int(j)*n:(int(j)+1)*n]) == 0
}

// load states the machines as they are now.
func (p *Policy) load(v *sim.View) {
	t := v.Topology()
	p.program.Reset(len(t.Types()))
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		p.program.AddMachine(program.Machine{Type: t.TypeOf(m), GPUs: v.Free().InMachine(m), Size: int(hi - lo),
			CPUMilli: p.place.Room(v, m, &plan.Demand{CPUMilli: 1}), MemMiB: p.place.Room(v, m, &plan.Demand{MemMiB: 1})})
	}
}

// start starts the i-th job of the list on its parts, if it has some.
func (p *Policy) start(v *sim.View, i int, parts []program.Part, out []sim.Decision) []sim.Decision {
	from, j := len(p.gpus), p.list[i].Job
	for _, x := range parts {
		p.gpus = v.Free().FromMachine(p.gpus, x.Machine, x.GPUs, p.rule)
	}
	gpus := p.gpus[from:len(p.gpus):len(p.gpus)]
	slices.Sort(gpus)
	if len(gpus) == 0 || !p.place.Take(v, gpus, p.books.Demand(j)) {
		return out
	}
	p.put[i] = true
	return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// usual starts the i-th job of the list on places of plan.Placer, if it fits.
func (p *Policy) usual(v *sim.View, i int, out []sim.Decision) []sim.Decision {
	j := p.list[i].Job
	gpus, ok := p.place.Place(v, p.books.Demand(j))
	if p.put[i] = ok; !ok {
		return out
	}
	return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{place: &plan.Placer{}}
	c.CopyFrom(p)
	return c
}

// CopyFrom makes p equal to another policy between decisions, in its own memory.
func (p *Policy) CopyFrom(o *Policy) {
	old := *p
	*p = *o
	p.books, p.place = old.books, old.place
	p.books.CopyFrom(&o.books)
	p.place.CopyFrom(o.place)
	p.active, p.waiting = append(old.active[:0], o.active...), append(old.waiting[:0], o.waiting...)
	if o.worth != nil {
		p.worth = append(old.worth[:0], o.worth...)
	}
	p.list, p.front, p.values, p.gpus, p.put = old.list, old.front, old.values, old.gpus, old.put
	p.program = old.program
}
