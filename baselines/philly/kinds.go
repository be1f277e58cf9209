package philly

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// what is a VC's demand.
type what struct {
	vc   int32
	need plan.Demand
}

// kind holds the jobs of one VC and demand.
type kind struct {
	vc, demand int32
	milli      int64 // of a GPU that each asks for, in thousandths
	lines      [last + 1]line
	waiting    int // in the queue, in a try, or backing off
	clock      clocks
	over       [2]bool // after the last decision: the VC of a job in the queue, or in a try, was at its quota
	room       bool    // enough GPUs were idle
}

// line is the queue of a kind's jobs to which a level is open, by arrival.
type line struct {
	jobs []sim.JobID
	head int
	shut bool // none of them is placed at this instant
}

func (l *line) empty() bool { return l.head == len(l.jobs) }

// add puts a job where its arrival puts it.
func (l *line) add(j sim.JobID) {
	if n := len(l.jobs); n == l.head || l.jobs[n-1] < j {
		l.jobs = append(l.jobs, j)
		return
	}
	i, _ := slices.BinarySearch(l.jobs[l.head:], j)
	l.jobs = slices.Insert(l.jobs, l.head+i, j)
}

// drop removes the first job.
func (l *line) drop() {
	if l.head++; 2*l.head > len(l.jobs) {
		l.jobs = slices.Delete(l.jobs, 0, l.head)
		l.head = 0
	}
}

// kindOf is the kind of a job; it is made at the first one.
func (p *Policy) kindOf(v *sim.View, j sim.JobID) int32 {
	a := v.Job(j).Public()
	d := plan.Demand{GPUs: int32(v.Job(j).GPUs()), Type: a.GPUType, ShareMilli: a.ShareMilli, CPUMilli: a.CPUMilli,
		MemMiB: a.MemMiB}
	if d.ShareMilli == 0 {
		d.ShareMilli = 1000
	}
	w := what{p.vcOf(v, v.Job(j).VC()), d}
	i, ok := p.index[w]
	if ok {
		return i
	}
	n, ok := p.byNeed[d]
	if !ok {
		n = int32(len(p.demands))
		p.byNeed[d] = n
		p.demands = append(p.demands, demand{Demand: d})
	}
	i = int32(len(p.kinds))
	p.index[w] = i
	p.kinds = append(p.kinds, kind{vc: w.vc, demand: n, milli: d.Milli()})
	p.vcs[w.vc].kinds = append(p.vcs[w.vc].kinds, i)
	return i
}

// enter queues a job that has come, or comes back.
func (p *Policy) enter(v *sim.View, j sim.JobID) {
	if n := v.NumJobs(); len(p.jobs) < n {
		p.jobs = append(p.jobs, make([]job, n-len(p.jobs))...)
	}
	x := &p.jobs[j]
	x.kind = p.kindOf(v, j)
	x.level, x.tries = p.cfg.from, 0
	p.enqueue(j, v.Now())
}

// enqueue puts a job into its line.
func (p *Policy) enqueue(j sim.JobID, now sim.Time) {
	x := &p.jobs[j]
	p.move(j, ready, now)
	p.kinds[x.kind].lines[x.level].add(j)
}

// take removes a job, the first of its line, from the queue.
func (p *Policy) take(j sim.JobID) {
	x := &p.jobs[j]
	p.kinds[x.kind].lines[x.level].drop()
}

// shut passes over the line of a job until the next decision.
func (p *Policy) shut(j sim.JobID) {
	x := &p.jobs[j]
	p.kinds[x.kind].lines[x.level].shut = true
}

// open makes every line a candidate again.
func (p *Policy) open() {
	for i := range p.kinds {
		k := &p.kinds[i]
		for l := range k.lines {
			k.lines[l].shut = false
		}
	}
}

// move changes the state of a job and books what it has waited for.
func (p *Policy) move(j sim.JobID, to state, now sim.Time) {
	x := &p.jobs[j]
	k := &p.kinds[x.kind]
	if x.state == ready || x.state == trying || x.state == backing {
		d := x.wait.passed(k, x.state, now)
		x.sum.add(d)
		p.vcs[k.vc].sum.add(d)
		k.waiting--
	}
	if x.state = to; to == ready || to == trying || to == backing {
		x.wait = span{since: now, at: k.clock}
		k.waiting++
	}
}
