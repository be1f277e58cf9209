package muri

import (
	"cmp"
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Muri scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	kinds  classes
	list   []*member // all jobs in the system, as the last decision sorted them
	lines  lines     // the same by queue, where there are queues
	ranked []*member // the order in which a decision looks at them: list, or the queues one after the other
	of     map[sim.JobID]*member
	room   room
	groups []group // of the last choice, by key; a member has its index

	place   *plan.Placer
	target  plan.Target
	matcher assign.Matcher
	program Program  // nil = the kernel's account, and GPUs as place.go gives them
	limit   sim.Time // when the next running job reaches the limit of its queue

	// Scratch.
	pools   []pool
	turns   []int // of pools, by their first job in the list
	edges   []assign.Edge
	mate    []int
	numbers []int32 // of the groups of a block, by their classes
	order   []int
	wants   []plan.Want
	gpus    []cluster.GPU
	claimed []bool
	waits   []*member
	claims  []cluster.GPU
	shown   []Group
	parts   []Part
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return NewFor(s, rule, nil)
}

// NewFor is New for another program's account of jobs; nil = the kernel's.
func NewFor(s *param.Set, rule cluster.Rule, program Program) (sim.Policy, error) {
	block := 128
	if program != nil {
		block = 0
	}
	p := &Policy{cfg: settings(s, block), program: program, of: map[sim.JobID]*member{}, place: plan.NewPlacer(rule),
		limit: sim.Never}
	if p.cfg.limits != nil {
		p.lines = make(lines, len(p.cfg.limits)+1)
	}
	return p, s.Err()
}

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set { return p.cfg.knows(p.program != nil) }

// Decide chooses anew when jobs came or went, machines failed or returned, or a job reaches the
// limit of its queue; when a checkpoint is written it gives the jobs that were chosen their GPUs.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	anew := v.Now() >= p.limit
	if !anew && len(v.Events()) == 1 && v.Events()[0].Kind == sim.Timer { // of a job that has stopped since
		return out
	}
	if p.program != nil {
		p.program.Pass(v)
	}
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			if v.Run(e.Job).State() == sim.Waiting {
				p.join(v, e.Job)
				anew = true
			}
		case sim.Finish:
			p.leave(e.Job)
			anew = true
		case sim.Fail, sim.Repair, sim.OutOfMemory:
			p.renew()
			if p.program != nil && p.of[e.Job] != nil {
				p.program.Correct(v, e.Job)
			}
			anew = true
		}
	}
	if anew {
		p.choose(v)
	}
	if p.program != nil {
		placed := false
		if out, placed = p.program.Place(v, p.wide(), out); placed {
			return p.requeue(v, out)
		}
		for _, m := range p.list {
			p.program.Correct(v, m.job)
		}
	}
	return p.requeue(v, p.settle(v, out))
}

// choose groups the jobs and states which groups run.
func (p *Policy) choose(v *sim.View) {
	p.sort(v)
	demand := p.pick(v)
	p.merge(demand, v.Usable())
	p.groups = p.groups[:0]
	for _, i := range p.turns {
		p.split(&p.pools[i])
	}
	slices.SortStableFunc(p.groups, func(a, b group) int { return cmp.Compare(a.key, b.key) })
	p.clear(v)
	p.groups = slices.DeleteFunc(p.groups, func(g group) bool { return !p.take(g.gpus, g.jobs[0].typ) })
	for i := range p.groups {
		for _, m := range p.groups[i].members() {
			m.group = int32(i)
		}
	}
	if p.program != nil { // and so it stays for ties
		slices.SortStableFunc(p.list, func(a, b *member) int { return cmp.Compare(b.gpus, a.gpus) })
	}
}
