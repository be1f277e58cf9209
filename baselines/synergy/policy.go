package synergy

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Synergy scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg      config
	profiler profiler
	chooser  chooser
	pack     packer
	active   []member // by job, which is the order of arrival
	line     []member // in the order of the round
	target   plan.Target
	wants    []plan.Want // of the round
	types    []int       // scratch: GPUs that are left of each type
	// due is when the round ends, Never = at the next event; start is when the rounds of this busy
	// time began.
	due, start sim.Time
	// quiet is set while every job runs: the round lasts until something happens.
	quiet bool
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), due: sim.Never}
	p.profiler.near = p.cfg.near
	if err := s.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Knows declares speeds, and the work that is left where the order reads it.
func (p *Policy) Knows() know.Set {
	if p.cfg.order == "fifo" || p.cfg.order == "las" {
		return know.Speed
	}
	return know.Speed | know.Work
}

// Decide chooses a round when the last one has ended; in between it gives the jobs of the round
// what they have not got yet.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		switch {
		case e.Kind == sim.Arrive && v.Run(e.Job).State() == sim.Waiting:
			p.join(v, e.Job)
		case e.Kind == sim.Finish:
			p.leave(e.Job)
		}
	}
	if p.quiet { // to the end of a round without waiting jobs
		p.quiet = false
		p.due = p.start + (v.Now()-p.start+p.cfg.round-1)/p.cfg.round*p.cfg.round
		if v.Now() < p.due {
			out = append(out, sim.Decision{Kind: sim.WakeAt, At: p.due})
		}
	}
	if p.due != sim.Never && v.Now() < p.due {
		return p.target.Decide(v, p.wants, out)
	}
	return p.begin(v, out)
}

// join takes in a job. One that no GPUs can hold does not come.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	i, ok := p.at(j)
	if m := p.profiler.of(v, j); m != nil && !ok {
		p.active = slices.Insert(p.active, i, member{id: j, m: m})
	}
}

func (p *Policy) at(j sim.JobID) (int, bool) {
	return slices.BinarySearchFunc(p.active, j, func(x member, j sim.JobID) int { return cmp.Compare(x.id, j) })
}

// leave forgets a job.
func (p *Policy) leave(j sim.JobID) {
	if i, ok := p.at(j); ok {
		p.active = slices.Delete(p.active, i, i+1)
	}
	p.wants = slices.DeleteFunc(p.wants, func(w plan.Want) bool { return w.Job == j })
}

// begin ends a round and begins the next.
func (p *Policy) begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.due == sim.Never {
		p.start = v.Now()
	}
	if p.due, p.wants = sim.Never, p.wants[:0]; len(p.active) == 0 {
		return out
	}
	p.plan(v)
	before := len(out)
	out = p.target.Decide(v, p.wants, out)
	if len(out) == before && len(v.Running()) == 0 && v.Draining() == 0 {
		// no job can be placed, and time alone does not change that
		return append(out, sim.Decision{Kind: sim.WakeAt, At: sim.Never})
	}
	p.due = v.Now() + p.cfg.round
	if p.quiet = len(p.wants) == len(p.active) && len(p.target.Late()) == 0; p.quiet {
		return append(out, sim.Decision{Kind: sim.WakeAt, At: sim.Never})
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: p.due})
}

// plan finds who runs in the round, where, and with what.
func (p *Policy) plan(v *sim.View) {
	p.sort(v)
	free := v.Free()
	free.Rollback(0)
	for _, j := range v.Running() {
		for _, g := range v.Run(j).Held() {
			if v.Up(g) {
				free.Release(g)
			}
		}
	}
	k := &p.pack
	k.list, k.arena = k.list[:0], k.arena[:0]
	p.count(free)
	for i := range p.line {
		x := &p.line[i]
		if n := int32(v.Job(x.id).GPUs()); p.cfg.mechanism == "greedy" || p.admit(v, x, int(n)) {
			e := entry{job: x.id, m: x.m, gpus: n, typ: x.m.typ, fair: x.m.fair(), want: x.m.cells[x.m.want],
				best: x.m.value[x.m.want]}
			if held := v.Run(x.id).Held(); p.cfg.stay && v.Run(x.id).State() == sim.Running && len(held) == int(n) {
				e.held = held
			}
			k.list = append(k.list, e)
		}
	}
	k.open(free)
	switch p.cfg.mechanism {
	case "greedy":
		k.greedy()
	case "proportional":
		k.proportional()
	case "opt":
		p.chooser.opt(k, p.cfg.nodes)
	default:
		k.tune()
	}
	p.write(v)
	free.Rollback(0)
}

// write lists what jobs are to have. GPUs that a job holds are copied, as the list outlives them.
func (p *Policy) write(v *sim.View) {
	k := &p.pack
	for i := range k.list {
		e := &k.list[i]
		if e.got == nil {
			continue
		}
		if e.held != nil && slices.Equal(e.got, e.held) {
			from := len(k.arena)
			k.arena = append(k.arena, e.got...)
			e.got = k.arena[from:len(k.arena):len(k.arena)]
		}
		p.wants = append(p.wants, plan.Want{Job: e.job, GPUs: e.got,
			Knobs: sim.Knobs{ShareMilli: 1000, CPUMilli: e.has.cpu, MemMiB: e.has.mem}})
	}
}

// count notes how many GPUs of each type are free; the last entry is all of them.
func (p *Policy) count(free *cluster.Free) {
	n := len(free.Topology().Types())
	p.types = slices.Grow(p.types[:0], n+1)[:n+1]
	for i := range n {
		p.types[i] = free.Type(i).Total()
	}
	p.types[n] = free.Total()
}

// admit gives a job its GPUs by number, and reports whether there are so many. Jobs that insist on
// a type and jobs that do not are placed in that order, so that what is admitted fits.
func (p *Policy) admit(v *sim.View, x *member, n int) bool {
	all := len(p.types) - 1
	if n > p.types[all] {
		return false
	}
	if x.m.typ != "" {
		t := slices.Index(v.Topology().Types(), x.m.typ)
		if n > p.types[t] {
			return false
		}
		p.types[t] -= n
	}
	p.types[all] -= n
	return true
}
