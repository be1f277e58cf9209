package powerflow

import (
	"cmp"
	"slices"

	"tarry/baselines/powerflow/budget"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/buddy"
)

// Policy is PowerFlow. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	curves  plan.Curves
	placer  *buddy.Placer
	members []*member // jobs in the system, by arrival
	unused  []*member
	account account
	last    sim.Time // of the last decision, Never = none yet
	due     bool     // something happened since

	greedy  budget.Greedy
	order   []*member // scratch: in the order in which jobs get GPUs
	jobs    []budget.Job
	choices []budget.Choice
	counts  []plan.Count
	scratch budget.Job
	numbers []int32 // room for tables
	reals   []float64
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), placer: buddy.New(rule), last: sim.Never}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Knows declares speeds and the work that is left.
func (p *Policy) Knows() know.Set { return know.Speed | know.Work }

// Decide chooses anew when something happened and the last decision is a slot old.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			p.arrive(v, e.Job)
		case sim.Finish:
			p.leave(e.Job)
		}
		p.due = p.due || e.Kind != sim.Timer
	}
	if !p.due {
		return out
	}
	now := v.Now()
	if p.last != sim.Never && now < p.last+p.cfg.slot {
		return append(out, sim.Decision{Kind: sim.WakeAt, At: p.last + p.cfg.slot})
	}
	p.last, p.due = now, false
	p.choose(v)
	return p.placer.Decide(v, p.counts, out)
}

// choose fills counts.
func (p *Policy) choose(v *sim.View) {
	p.order = p.order[:0]
	asked, waits := 0.0, 0.0 // joules of all work that is left, and of jobs that get no GPUs at their least
	for _, m := range p.members {
		p.account.settle(m, units(v, m.id))
		m.runs = false
		state := v.Run(m.id).State()
		if state != sim.Waiting && state != sim.Running {
			continue
		}
		if m.key = 0; p.cfg.short {
			_, s, _ := m.table.At(m.table.Least())
			m.key = float64(s * m.table.Work)
		}
		p.order = append(p.order, m)
	}
	slices.SortStableFunc(p.order, func(a, b *member) int { return cmp.Compare(a.key, b.key) })
	p.jobs, p.choices = p.jobs[:0], p.choices[:0]
	free, n := int32(v.Usable()), 0
	for _, m := range p.order {
		gets := m.table.GPUs[0] <= free
		if gets || !p.cfg.placed {
			asked += float64(m.table.Work * m.asked)
		}
		if !gets {
			waits += float64(m.table.Work * m.least())
			continue
		}
		free -= m.table.GPUs[0]
		p.order[n], n = m, n+1
		p.jobs, p.choices = append(p.jobs, m.table), append(p.choices, m.table.Least())
	}
	if p.cfg.placed {
		waits = 0
	}
	p.order = p.order[:n]
	p.greedy.Spread(p.jobs, p.choices, int32(v.Usable()), p.account.allows(&p.cfg, asked)-waits, nil)
	p.counts = p.counts[:0]
	for i, m := range p.order {
		m.has, m.runs = p.choices[i], true
		c := plan.Count{Job: m.id, GPUs: m.table.GPUs[m.has.Number]}
		if clock := p.cfg.clock(m.has.Clock); clock != v.Run(m.id).Knobs().FreqFrac {
			c.FreqFrac = clock
		}
		p.counts = append(p.counts, c)
	}
}

// arrive makes the books of a job.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	if len(p.unused) == 0 {
		slab := make([]member, 64)
		for i := range slab {
			p.unused = append(p.unused, &slab[i])
		}
	}
	n := len(p.unused) - 1
	m := p.unused[n]
	p.unused = p.unused[:n]
	*m = member{id: j, table: m.table}
	p.fill(v, m)
	m.table.Work = units(v, j)
	i, _ := slices.BinarySearchFunc(p.members, j, byID)
	p.members = slices.Insert(p.members, i, m)
}

func byID(m *member, j sim.JobID) int { return cmp.Compare(m.id, j) }

// leave forgets a job that has ended.
func (p *Policy) leave(j sim.JobID) {
	i, ok := slices.BinarySearchFunc(p.members, j, byID)
	if !ok {
		return
	}
	m := p.members[i]
	p.account.settle(m, 0)
	p.members, p.unused = slices.Delete(p.members, i, i+1), append(p.unused, m)
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{cfg: p.cfg, curves: p.curves.Clone(), placer: p.placer.Clone(), account: p.account, last: p.last,
		due: p.due, members: slices.Clone(p.members)}
	for i, m := range c.members {
		one := *m
		one.table.GPUs, one.table.Seconds, one.table.Joules = slices.Clone(m.table.GPUs), slices.Clone(m.table.Seconds),
			slices.Clone(m.table.Joules)
		c.members[i] = &one
	}
	return c
}
