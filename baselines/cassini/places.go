package cassini

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// places compares places for the jobs that a host starts or moves at one instant.
//
// The host's decision states how many GPUs each job gets. A candidate gives each job the same number
// on other GPUs, out of the GPUs that the host gives out at this instant and what stays free: the
// jobs choose in another order, and look at the machines from another one on. A job chooses the
// finest of machine, rack and cluster that holds it, with as few machines as there are. A candidate
// in which a job alone would be slower than where the host puts it is none.
type places struct {
	cfg   *config
	net   network
	slots []slot
	// usable has 1 + the first decision that can use a GPU of the pool, by GPU; 0 = it is not in it.
	usable []int32
	pool   []cluster.GPU
	taken  []bool
	left   []room          // machines of the pool, in their order
	order  []room          // scratch
	tried  []cluster.GPU   // the places of all candidates, one after the other
	trial  [][]cluster.GPU // of a candidate
	best   [][]cluster.GPU
}

// slot is a decision that gives a job GPUs.
type slot struct {
	at    int // in the list of decisions
	job   sim.JobID
	gpus  []cluster.GPU
	rate  float64 // of the job alone where the host puts it
	fixed bool    // it stays there
}

// room is a machine and its GPUs that a slot can have.
type room struct{ machine, n int32 }

// choose replaces the GPUs of decisions by the GPUs of the best candidate.
func (p *places) choose(v *sim.View, decisions []sim.Decision) {
	p.list(v, decisions)
	movable := 0
	for i := range p.slots {
		if !p.slots[i].fixed {
			movable++
		}
	}
	if movable == 0 || p.cfg.candidates == 1 {
		return
	}
	p.best, p.trial, p.tried = p.best[:0], p.trial[:0], p.tried[:0]
	for i := range p.slots {
		p.best, p.trial = append(p.best, p.slots[i].gpus), append(p.trial, nil)
	}
	score, loops := p.net.score(v, decisions, p.slots, p.best)
	for c := 1; c < p.cfg.candidates && (loops || score < 1); c++ {
		if !p.candidate(v, c) {
			continue
		}
		if s, l := p.net.score(v, decisions, p.slots, p.trial); !l && (loops || s > score+1e-9) {
			score, loops = s, false
			copy(p.best, p.trial)
		}
	}
	for i, s := range p.slots {
		decisions[s.at].GPUs = p.best[i]
	}
}

// list finds the slots of the decisions, and the pool.
func (p *places) list(v *sim.View, decisions []sim.Decision) {
	t, f := v.Topology(), v.Free()
	f.Rollback(0)
	if len(p.usable) == 0 {
		p.usable, p.taken = make([]int32, t.GPUs()), make([]bool, t.GPUs())
	}
	for _, g := range p.pool {
		p.usable[g] = 0
	}
	p.pool, p.slots = p.pool[:0], p.slots[:0]
	for m := range t.Machines() {
		if f.InMachine(m) > 0 {
			for g, hi := t.MachineGPUs(m); g < hi; g++ {
				if f.Has(g) {
					p.add(g, 1)
				}
			}
		}
	}
	for i := range decisions {
		d := &decisions[i]
		if d.Kind == sim.Lift || d.Kind == sim.Migrate || d.Kind == sim.Resize ||
			d.Kind == sim.Preempt && v.Run(d.Job).CheckpointTime() == 0 {
			for _, g := range v.Run(d.Job).Held() {
				if v.Up(g) && v.Share(g) == 1000 && v.Sharers(g) == 1 && p.usable[g] == 0 {
					p.add(g, int32(i)+1)
				}
			}
		}
		if changes(d.Kind) && d.Kind != sim.Preempt {
			p.slots = append(p.slots, p.slot(v, d, i))
		}
	}
	for i := range p.slots {
		if s := &p.slots[i]; s.fixed {
			for _, g := range s.gpus {
				p.usable[g] = 0
			}
		}
	}
	p.left = p.left[:0]
	slices.Sort(p.pool)
	for _, g := range p.pool {
		if m := int32(t.Machine(g)); len(p.left) == 0 || p.left[len(p.left)-1].machine != m {
			p.left = append(p.left, room{machine: m})
		}
	}
}

func (p *places) add(g cluster.GPU, from int32) {
	p.usable[g] = from
	p.pool = append(p.pool, g)
}

// slot is the slot of a decision. A job stays where the host puts it unless it holds whole GPUs of
// one type and asks for no CPU, memory, copies or instances.
func (p *places) slot(v *sim.View, d *sim.Decision, at int) slot {
	t, s := v.Topology(), slot{at: at, job: d.Job, gpus: d.GPUs}
	per := v.Job(d.Job).PerGPU()
	typ := t.TypeOf(t.Machine(d.GPUs[0]))
	s.fixed = d.Kind == sim.Resize || d.Knobs != (sim.Knobs{}) || per.CPUMilli != 0 || per.MemMiB != 0 ||
		v.Run(d.Job).Knobs().ShareMilli < 1000
	for _, g := range d.GPUs {
		s.fixed = s.fixed || t.TypeOf(t.Machine(g)) != typ || p.usable[g] == 0
	}
	if !s.fixed {
		s.rate = v.Predict(d.Job, sim.Placement{GPUs: d.GPUs, Idle: true}).Rate
	}
	return s
}

// candidate makes the c-th candidate, and reports whether it is one and not as another before it.
func (p *places) candidate(v *sim.View, c int) bool {
	n, from := len(p.slots), len(p.tried)
	for k := range n {
		i := (k + c) % n
		s := &p.slots[i]
		p.trial[i] = s.gpus
		if s.fixed {
			continue
		}
		p.trial[i] = nil
		if gpus := p.fit(v, s, len(p.left)*c/p.cfg.candidates); gpus != nil {
			p.trial[i] = gpus
			for _, g := range gpus {
				p.taken[g] = true
			}
		}
	}
	ok, differs := true, false
	for i := range p.slots {
		s := &p.slots[i]
		ok = ok && p.trial[i] != nil
		differs = differs || !slices.Equal(p.trial[i], s.gpus)
		if !s.fixed {
			for _, g := range p.trial[i] {
				p.taken[g] = false
			}
			same := slices.Equal(p.trial[i], v.Run(s.job).Held())
			ok = ok && !same && v.Predict(s.job, sim.Placement{GPUs: p.trial[i], Idle: true}).Rate >= s.rate*(1-1e-9)
		}
	}
	if !ok || !differs {
		p.tried = p.tried[:from]
	}
	return ok && differs
}

// fit gives GPUs for a slot, with the machines looked at from one on; nil = there are too few.
func (p *places) fit(v *sim.View, s *slot, first int) []cluster.GPU {
	t, n := v.Topology(), int32(len(s.gpus))
	typ := t.TypeOf(t.Machine(s.gpus[0]))
	p.order = p.order[:0]
	for k := range p.left {
		m := p.left[(k+first)%len(p.left)].machine
		if t.TypeOf(int(m)) != typ {
			continue
		}
		if x := (room{m, p.count(v, int(m), s.at)}); x.n >= n {
			p.order = append(p.order[:0], x)
			return p.gather(v, s)
		} else if x.n > 0 {
			p.order = append(p.order, x)
		}
	}
	rackOf := func(x room) int { return t.Rack(int(x.machine)) }
	inRack := func(r int) (sum int32) {
		for _, x := range p.order {
			if rackOf(x) == r {
				sum += x.n
			}
		}
		return sum
	}
	for _, x := range p.order {
		if r := rackOf(x); inRack(r) >= n {
			p.order = slices.DeleteFunc(p.order, func(x room) bool { return rackOf(x) != r })
			slices.SortStableFunc(p.order, func(a, b room) int { return cmp.Compare(b.n, a.n) })
			return p.gather(v, s)
		}
	}
	slices.SortStableFunc(p.order, func(a, b room) int {
		if ra, rb := rackOf(a), rackOf(b); ra != rb {
			return cmp.Or(cmp.Compare(inRack(rb), inRack(ra)), cmp.Compare(ra, rb))
		}
		return cmp.Compare(b.n, a.n)
	})
	return p.gather(v, s)
}

// count is the number of GPUs of a machine that a decision can use.
func (p *places) count(v *sim.View, m, at int) (n int32) {
	for g, hi := v.Topology().MachineGPUs(m); g < hi; g++ {
		if p.can(g, at) {
			n++
		}
	}
	return n
}

func (p *places) can(g cluster.GPU, at int) bool {
	return p.usable[g] > 0 && int(p.usable[g]) <= at+1 && !p.taken[g]
}

// gather takes the GPUs of a slot from the machines in order; nil = they have too few.
func (p *places) gather(v *sim.View, s *slot) []cluster.GPU {
	from := len(p.tried)
	for _, x := range p.order {
		for g, hi := v.Topology().MachineGPUs(int(x.machine)); g < hi && len(p.tried)-from < len(s.gpus); g++ {
			if p.can(g, s.at) {
				p.tried = append(p.tried, g)
			}
		}
	}
	if len(p.tried)-from < len(s.gpus) {
		p.tried = p.tried[:from]
		return nil
	}
	slices.Sort(p.tried[from:])
	return p.tried[from:len(p.tried):len(p.tried)]
}
