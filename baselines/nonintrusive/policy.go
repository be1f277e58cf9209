package nonintrusive

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one nonintrusive-like scheduler. Build it with New; it belongs to one run.
type Policy struct {
	estimate bool
	restart  float64
	sizer    *plan.Sizer
	curves   plan.Curves
	jobs     []job
	waiting  []sim.JobID // shortest time left first; it does not change while a job waits
	runs     []sim.JobID // that run, by arrival
	active   []entry     // that the plan gives GPUs
	counts   []plan.Count
	all      []int64 // GPUs of each type
	up, left []int64 // of these: that have not failed, and that are not given out
}

// job is what the policy keeps of one.
type job struct {
	guess float64 // the estimated work, doubled when outlived
	key   float64 // time left at best
	lo    int32   // its least count
	low   bool    // no more than the least could be placed
}

// New is nonintrusive-like. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{sizer: plan.NewSizer(rule)}
	p.estimate = s.Enum("by", "estimate", "work") == "estimate"
	p.restart = s.Float("restart_s", 30, 0, 1e9) * 1e6
	if s.Enum("place", "packed", "near") == "packed" {
		p.sizer.Moves = plan.MovePacked
	}
	return p, s.Err()
}

// Knows declares speeds, and progress with an estimate or the true work.
func (p *Policy) Knows() know.Set {
	if p.estimate {
		return know.Speed | know.Estimate | know.Done
	}
	return know.Speed | know.Work
}

// Decide plans anew when jobs came or went, or GPUs did.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.up == nil {
		p.left = make([]int64, len(v.Topology().Types()))
		p.count(v)
	}
	again := false
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.OutOfMemory, sim.Fail, sim.Repair:
			p.count(v)
		case sim.Arrive, sim.Finish, sim.Drained:
		default:
			continue
		}
		again = true
		if ev.Kind != sim.Finish && ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
			p.join(v, ev.Job)
		}
	}
	if !again {
		return out
	}
	for {
		if !p.allocate(v) {
			return out
		}
		n := len(out)
		out = p.sizer.Decide(v, p.counts, out)
		if len(out) > n || len(v.Running()) > 0 || !p.lower() {
			break
		}
	}
	for _, d := range out {
		if d.Kind == sim.Start {
			i, _ := slices.BinarySearchFunc(p.waiting, d.Job, p.compare)
			p.waiting = slices.Delete(p.waiting, i, i+1)
			p.jobs[d.Job].low = false
		}
	}
	return out
}

// lower limits the jobs that found no place to their least count, such as jobs whose CPU or memory
// binds. It reports whether that may help.
func (p *Policy) lower() (changed bool) {
	for _, j := range p.sizer.Late() {
		changed = changed || !p.jobs[j].low
		p.jobs[j].low = true
	}
	return changed
}

// count takes in which GPUs have failed.
func (p *Policy) count(v *sim.View) {
	t := v.Topology()
	p.all, p.up = make([]int64, len(t.Types())), make([]int64, len(t.Types()))
	for m := range t.Machines() {
		k := p.typeAt(v, m)
		for g, hi := t.MachineGPUs(m); g < hi; g++ {
			p.all[k]++
			if v.Up(g) {
				p.up[k]++
			}
		}
	}
}

// join puts a job among waiting jobs.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	if n := v.NumJobs(); len(p.jobs) < n {
		p.jobs = append(p.jobs, make([]job, n-len(p.jobs))...)
	}
	x := &p.jobs[j]
	if x.guess == 0 {
		x.guess = v.Job(j).Estimate()
	}
	curve := p.curves.Of(v, j)
	lo, _ := v.Job(j).Range()
	x.lo = int32(lo)
	x.key = p.work(v, j) / max(speed(curve, plan.Peak(curve)), speed(curve, lo))
	i, _ := slices.BinarySearchFunc(p.waiting, j, p.compare)
	p.waiting = slices.Insert(p.waiting, i, j)
}

// compare orders waiting jobs by the time that is left, then by arrival.
func (p *Policy) compare(a, b sim.JobID) int {
	switch x, y := p.jobs[a].key, p.jobs[b].key; {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return int(a - b)
}

// work is what is left of a job, in microseconds of a reference GPU (step 1).
func (p *Policy) work(v *sim.View, j sim.JobID) float64 {
	if !p.estimate {
		return v.Run(j).Left()
	}
	x, done := &p.jobs[j], v.Run(j).Done()
	for x.guess <= done {
		x.guess = max(1, 2*x.guess)
	}
	return x.guess - done
}

// speed is a job's on n GPUs; n itself where the curve ends before, as for a job wider than any
// type.
func speed(curve []float64, n int) float64 {
	if n >= len(curve) || curve[n] == 0 && n > 0 && !slices.ContainsFunc(curve, positive) {
		return float64(n)
	}
	return curve[n]
}

func positive(x float64) bool { return x > 0 }

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.sizer, c.curves = p.sizer.Clone(), p.curves.Clone()
	c.jobs, c.waiting = slices.Clone(p.jobs), slices.Clone(p.waiting)
	c.runs, c.active, c.counts, c.up, c.left = nil, nil, nil, slices.Clone(p.up), slices.Clone(p.left)
	return &c
}
