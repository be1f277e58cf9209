package sia

import (
	"fmt"
	"math"

	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is Sia. Build it with New; it belongs to one run.
type Policy struct {
	cfg config
	layout
	ready   bool
	members []*member // by arrival
	unused  []*member
	due     sim.Time // of the next round; sim.Never = none: no job is there
	idle    int      // rounds in a row in which nothing ran and nothing could be placed

	curves  plan.Curves
	solver  ilp.Solver
	problem ilp.Problem
	turn    []*member // the jobs of the round's problem, in its order
	picks   []int
	place   placer
	target  plan.Target
	wants   []plan.Want
	old     []float64
	alike   map[uint64]int // waiting jobs in the problem, by their row
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), due: sim.Never, alike: map[uint64]int{}}
	p.solver.Gap, p.problem.Rules = p.cfg.gap, p.cfg.rules
	return p, s.Err()
}

// Knows declares speeds, from which jobs are measured before they start, and what jobs measure of
// themselves.
func (p *Policy) Knows() know.Set { return know.Speed | know.Progress }

// Decide holds a round at each whole interval while there are jobs, and chooses batches anew at
// marks.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.ready {
		p.layout, p.ready = newLayout(v.Topology(), p.cfg.most), true
	}
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			if v.Run(e.Job).State() == sim.Waiting {
				p.enter(v, e.Job)
			}
		case sim.Finish:
			p.leave(e.Job)
		case sim.Cross:
			if i, ok := p.at(e.Job); ok && v.Run(e.Job).State() == sim.Running && v.Now() != p.due {
				out = p.retune(v, p.members[i], out)
			}
		}
	}
	if len(p.members) == 0 {
		p.due = sim.Never
		return out
	}
	now := v.Now()
	if p.due == sim.Never || p.due < now {
		p.due = (now + p.cfg.interval - 1) / p.cfg.interval * p.cfg.interval
	}
	if now == p.due {
		before := len(out)
		out = p.round(v, out)
		p.due = now + p.cfg.interval
		if p.idle++; len(out) > before || len(v.Running())+v.Draining() > 0 {
			p.idle = 0
		}
		if p.idle > len(p.configs) || len(out) == before && p.settled(v) { // time alone changes nothing
			p.due = sim.Never
		}
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: p.due})
}

// round learns from the jobs, chooses and places.
func (p *Policy) round(v *sim.View, out []sim.Decision) []sim.Decision {
	p.problem.Configs, p.problem.Cap = p.configs, p.capacity(v, p.problem.Cap[:0])
	p.turn, p.problem.Entries = p.turn[:0], p.problem.Entries[:0]
	p.problem.Valid, p.problem.Prev, p.problem.Pinned = p.problem.Valid[:0], p.problem.Prev[:0], p.problem.Pinned[:0]
	clear(p.alike)
	for _, m := range p.members {
		m.pick = ilp.None
		if s := v.Run(m.id).State(); s != sim.Running && s != sim.Waiting {
			continue // its checkpoint is being written
		}
		p.learn(v, m)
		p.add(v, m)
	}
	for len(p.picks) < len(p.turn) {
		p.picks = append(p.picks, ilp.None)
	}
	picks := p.picks[:len(p.turn)]
	// what is pinned is on GPUs that count, and all else may have none
	if _, err := p.solver.Solve(&p.problem, picks); err != nil {
		v.Fail(fmt.Errorf("sia: %w", err))
		return out
	}
	for i, m := range p.turn {
		m.pick = picks[i]
	}
	return p.apply(v, out)
}

// capacity counts the GPUs of each type that are up and not needed for checkpoints.
func (p *Policy) capacity(v *sim.View, dst []int) []int {
	top := v.Topology()
	for t := range p.types {
		n := 0
		for _, m := range p.types[t].machines {
			lo, hi := top.MachineGPUs(int(m))
			for g := lo; g < hi; g++ {
				if usable(v, g) {
					n++
				}
			}
		}
		dst = append(dst, n)
	}
	return dst
}

// usable reports whether a GPU may be given out in a round.
func usable(v *sim.View, g cluster.GPU) bool {
	o := v.Owner(g)
	return v.Up(g) && (o == sim.NoJob || v.Run(o).State() == sim.Running)
}

// learn brings what is known of a job up to date.
func (p *Policy) learn(v *sim.View, m *member) {
	m.prev, m.pinned = ilp.None, false
	if v.Run(m.id).State() == sim.Waiting {
		if !m.started && p.cfg.bootstrap && m.batch > 0 && !m.tried {
			m.tried = true
			p.bootstrap(v, m)
		}
		return
	}
	held := v.Run(m.id).Held()
	m.prev = p.held(v.Topology(), held)
	if v.Run(m.id).Time() <= m.ran {
		m.pinned = m.prev != ilp.None
		return
	}
	if m.batch > 0 {
		p.observe(v, m)
	}
	m.widest = max(m.widest, len(held))
	if m.prev != ilp.None && p.configs[m.prev].Type != ilp.Mixed {
		x := &m.of[p.configs[m.prev].Type]
		if len(held) > x.widest {
			x.widest, m.stale = len(held), true
		}
	}
}

// add writes the row of a job into the problem.
func (p *Policy) add(v *sim.View, m *member) {
	p.rate(v, m)
	n, at := len(p.configs), len(p.problem.Entries)
	for range n {
		p.problem.Entries, p.problem.Valid = append(p.problem.Entries, 0), append(p.problem.Valid, false)
	}
	row, valid := p.problem.Entries[at:], p.problem.Valid[at:]
	if !p.row(m, row, valid) && m.prev == ilp.None { // all are barred: try again
		clear(m.barred)
		p.row(m, row, valid)
	}
	if v.Run(m.id).State() == sim.Waiting && p.enough(v, row, valid) {
		p.problem.Entries, p.problem.Valid = p.problem.Entries[:at], p.problem.Valid[:at]
		return
	}
	job := ilp.Job{Goodput: row, Prev: m.prev, AgeS: (v.Now() - v.Job(m.id).Submit()).Seconds(), PenaltyS: m.penalty,
		Restarts: m.restarts}
	p.cfg.rules.Row(row, &job)
	p.turn = append(p.turn, m)
	p.problem.Prev, p.problem.Pinned = append(p.problem.Prev, m.prev), append(p.problem.Pinned, m.pinned)
}

// enough reports whether as many waiting jobs with a row like this are in the problem as the
// cluster can hold: one more changes nothing, since the jobs before it are as good.
func (p *Policy) enough(v *sim.View, row []float64, valid []bool) bool {
	least, hash := 0, uint64(14695981039346656037)
	for c := range row {
		if valid[c] && (least == 0 || p.configs[c].GPUs < least) {
			least = p.configs[c].GPUs
		}
		hash = (hash ^ math.Float64bits(row[c])) * 1099511628211
		hash ^= hash >> 29
	}
	p.alike[hash]++
	return least == 0 || p.alike[hash] > v.Topology().GPUs()/least
}

// settled reports whether the next rounds would all be as this one, in which nothing changed:
// no job measures anything, all have a place, and age does not change an entry of the matrix
// any more.
func (p *Policy) settled(v *sim.View) bool {
	n := len(p.configs)
	for i, m := range p.turn {
		if m.batch > 0 || m.pinned || m.pick != m.prev {
			return false
		}
		if v.Run(m.id).State() != sim.Running {
			continue
		}
		valid, was := p.problem.Valid[i*n:(i+1)*n], p.problem.Entries[i*n:(i+1)*n]
		p.old = append(p.old[:0], was...)
		p.row(m, was, valid)
		p.cfg.rules.Row(was, &ilp.Job{Goodput: was, Prev: m.prev})
		for c, ok := range valid {
			if ok && was[c] != p.old[c] {
				return false
			}
		}
	}
	return true
}
