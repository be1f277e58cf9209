package typed

import (
	"math"
	"slices"

	"tarry/baselines/ranked"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Policy is one scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	by     *ranked.Ranker // of the terms of a job alone
	books  plan.Queue     // the demands of jobs; no job is in it
	place  *plan.Placer
	target plan.Target
	round  plan.Alarm // the next

	rates  []float64     // job x type: ln(speed relative to full speed on reference GPUs); -Inf = it cannot run
	best   []float64     // by job: the largest of its rates
	active []sim.JobID   // not ended, by arrival
	size   []int32       // by type: its GPUs
	up     []int32       // by type: its GPUs that are not down, where counted is true
	nth    []int         // by type: its place among the fastest
	scarce []float64     // by type: the term price
	free   []int32       // by type, in the plan
	pairs  []pair        // a heap
	to     []int8        // by job: its type in the plan
	firm   []bool        // by job: its GPUs are in wants
	turns  []sim.JobID   // that have a type in the plan, the first first
	wants  []plan.Want   // of the plan
	buf    []cluster.GPU // scratch
	// counted is false where up must be counted anew.
	counted bool
	// due and changed are why the instant is planned; scores are in place of the policy's own, nil = none.
	due, changed bool
	scores       Scores
}

type config struct {
	round sim.Time
	eager bool
	pair  PairTerms // weights
}

// Scores are the scores of pairs where others than the policy's own decide.
type Scores interface {
	// Score is a pair's score; the type is an index into the cluster's types, or Wide. Pairs for which
	// none is given come after all others, in the policy's own order.
	Score(j sim.JobID, on int) (score float64, given bool)
}

// Wide is in place of a type where no type has enough GPUs for a job: it has GPUs of several.
const Wide = -2

// What a job has in a plan, beside the number of a type.
const (
	none int8 = -1 // nothing
	wide int8 = Wide
)

// Knows declares speeds, and what the terms of a job read.
func (p *Policy) Knows() know.Set { return know.Speed | p.by.Knows() }

// Decide plans anew when a round is due and, if it is eager, when jobs or GPUs come or go; else it
// gives free GPUs to jobs that wait.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out, plans := p.Begin(v, out)
	if !plans {
		return out
	}
	return p.Plan(v, nil, out)
}

// Begin takes in an instant, and reports whether it is planned.
func (p *Policy) Begin(v *sim.View, out []sim.Decision) (_ []sim.Decision, plans bool) {
	if p.free == nil {
		p.start(v)
	}
	p.changed = p.follow(v)
	p.due = p.round.At(v.Now()) == sim.Never
	switch {
	case len(p.active) == 0:
		return p.round.Set(v.Now(), sim.Never, out), false
	case !p.due && !p.changed:
		return out, false
	}
	p.by.Begin(v, p.asked(v))
	return out, true
}

// Plan plans the instant by scores of its own, or by others.
func (p *Policy) Plan(v *sim.View, by Scores, out []sim.Decision) []sim.Decision {
	before := len(out)
	p.scores = by
	p.choose(v, p.anew())
	out = p.target.Decide(v, p.assign(v, p.due), out)
	p.scores = nil
	if p.due && (len(v.Running()) > 0 || v.Draining() > 0 || len(out) > before) {
		out = p.round.Set(v.Now(), v.Now()+p.cfg.round, out)
	}
	return out
}

// anew reports whether running jobs compete for GPUs, too.
func (p *Policy) anew() bool { return p.due || p.cfg.eager }

// start begins a run.
func (p *Policy) start(v *sim.View) {
	p.by.Start(v)
	n, k := v.NumJobs(), len(v.Topology().Types())
	p.rates, p.best, p.to, p.firm = make([]float64, n*k), make([]float64, n), make([]int8, n), make([]bool, n)
	p.scarce, p.free, p.size, p.up = make([]float64, k), make([]int32, k), make([]int32, k), make([]int32, k)
	p.nth = make([]int, k)
	for r, i := range v.Topology().Fastest() {
		p.nth[i] = r
	}
	for m := range v.Topology().Machines() {
		lo, hi := v.Topology().MachineGPUs(m)
		p.size[v.Topology().TypeOf(m)] += int32(hi - lo)
	}
}

// follow takes in the events of the instant; it reports whether jobs or GPUs came or went.
func (p *Policy) follow(v *sim.View) (changed bool) {
	for _, ev := range v.Events() {
		p.counted = p.counted && ev.Kind != sim.Fail && ev.Kind != sim.Repair
		switch ev.Kind {
		case sim.Arrive:
			p.join(v, ev.Job)
			changed = true
		case sim.Finish:
			if i, ok := slices.BinarySearch(p.active, ev.Job); ok {
				p.active = slices.Delete(p.active, i, i+1)
			}
			changed = true
		case sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob {
				p.by.Enter(v, ev.Job)
			}
			changed = true
		case sim.Drained, sim.Repair:
			changed = true
		}
	}
	return changed
}

// join books a job that has arrived, and asks for its speed on each type.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	d := p.books.Note(v, j)
	i, _ := slices.BinarySearch(p.active, j)
	p.active = slices.Insert(p.active, i, j)
	p.by.Enter(v, j)
	p.best[j] = math.Inf(-1)
	for k, name := range v.Topology().Types() {
		r := math.Inf(-1)
		if d.Type == "" || len(p.free) == 1 || d.Type == name {
			r = p.profile(v, j, k, int(d.GPUs))
		}
		p.rates[int(j)*len(p.free)+k] = r
		p.best[j] = max(p.best[j], r)
	}
}

// profile is ln(speed) of a job on GPUs of one type close together: of the first machine that holds
// all, else of the first machines; -Inf where the type has too few, or the speed model no answer.
func (p *Policy) profile(v *sim.View, j sim.JobID, k, n int) float64 {
	t := v.Topology()
	p.buf = p.buf[:0]
	for m := range t.Machines() {
		if t.TypeOf(m) != k {
			continue
		}
		lo, hi := t.MachineGPUs(m)
		if int(hi-lo) >= n {
			p.buf = p.buf[:0]
		}
		for g := lo; g < hi && len(p.buf) < n; g++ {
			p.buf = append(p.buf, g)
		}
		if int(hi-lo) >= n {
			break
		}
	}
	if len(p.buf) < n {
		return math.Inf(-1)
	}
	rate := v.Predict(j, sim.Placement{GPUs: p.buf, Alone: true}).Rate / v.Job(j).Width()
	if !(rate > 0) {
		return math.Inf(-1)
	}
	return math.Log(rate)
}

// asked is how many GPUs the jobs without GPUs ask for.
func (p *Policy) asked(v *sim.View) (n int) {
	for _, j := range p.active {
		if v.Run(j).State() == sim.Waiting {
			n += int(p.books.Demand(j).GPUs)
		}
	}
	return n
}
