package sia

import (
	"slices"

	"tarry/baselines/fit"
	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/goodput"
)

// member is a job that has come and not ended.
type member struct {
	id           sim.JobID
	kind         kind
	lo, hi, step int  // its range of GPUs, and the worker of which a number is a multiple
	asks         int  // GPUs of a rigid job
	mixed        bool // it has them of several types
	penalty      float64

	limits goodput.Limits
	batch  int // the job's own, in samples; 0 = the speed model states nothing of batches
	noise  goodput.Noise
	of     []profile // by type
	widest int       // most GPUs on which it was measured

	prev     int // configuration, ilp.None = none
	pick     int
	restarts int      // changes of its GPUs after the first start
	started  bool     // it had GPUs before
	ran      sim.Time // its running time when it got its GPUs: the same later means that it is restarting
	pinned   bool
	barred   []bool    // configurations that could not be placed
	rates    []float64 // goodput by configuration, 0 = never
	stale    bool      // rates are to be made anew
	tried    bool      // it was measured before it started
}

// profile is what is known of a job on one type.
type profile struct {
	obs    []fit.Observation
	params goodput.Params
	known  bool
	widest int     // most GPUs on which it was measured here
	one    float64 // goodput on one GPU
}

// reset makes the books of another job.
func (m *member) reset(j sim.JobID) {
	of := m.of
	*m = member{id: j, prev: ilp.None, pick: ilp.None, barred: m.barred[:0], rates: m.rates[:0], stale: true, of: of}
	for t := range of {
		of[t] = profile{obs: of[t].obs[:0]}
	}
}

// slab makes room for more jobs.
func (p *Policy) slab() {
	const jobs = 256
	types, configs := len(p.types), len(p.configs)+4
	members, of, rates := make([]member, jobs), make([]profile, jobs*types), make([]float64, jobs*configs)
	for i := range members {
		m := &members[i]
		m.of, m.rates = of[i*types:(i+1)*types:(i+1)*types], rates[i*configs:i*configs:(i+1)*configs]
		p.unused = append(p.unused, m)
	}
}

// enter makes the books of a job that has come.
func (p *Policy) enter(v *sim.View, j sim.JobID) {
	if len(p.unused) == 0 {
		p.slab()
	}
	n := len(p.unused)
	m := p.unused[n-1]
	p.unused = p.unused[:n-1]
	m.reset(j)
	m.lo, m.hi = v.Job(j).Range()
	m.step, m.asks, m.penalty = v.Job(j).WorkerGPUs(), v.Job(j).GPUs(), p.cfg.penalty(v.Job(j).Model())
	b := v.Job(j).Batches()
	m.limits = goodput.Limits{Initial: int(b.Initial), Max: int(b.Max), MinLocal: int(b.MinLocal),
		MaxLocal: int(b.MaxLocal), Accumulate: true}
	switch {
	case m.lo == m.hi:
		m.kind = rigid
	case b.Initial <= 0 || b.Max <= b.Initial:
		m.kind = scaling
	}
	m.kind = max(m.kind, p.cfg.kind)
	if b.Initial > 0 && b.MaxLocal > 0 {
		if m.batch = p.own(v, j); m.limits.Max < m.batch {
			m.limits.Max = m.batch
		}
	}
	p.choices(v, m)
	i, _ := slices.BinarySearchFunc(p.members, j, func(m *member, j sim.JobID) int { return int(m.id - j) })
	p.members = slices.Insert(p.members, i, m)
}

// own is the batch to which Knobs.Batch is relative, in samples.
func (p *Policy) own(v *sim.View, j sim.JobID) int {
	a := v.Job(j).Public()
	if a.BatchSize > 0 {
		return int(a.BatchSize)
	}
	return int(v.Job(j).Batches().Initial)
}

// leave forgets a job.
func (p *Policy) leave(j sim.JobID) {
	if i, ok := p.at(j); ok {
		p.unused = append(p.unused, p.members[i])
		p.members = slices.Delete(p.members, i, i+1)
	}
	for _, m := range p.members {
		clear(m.barred)
	}
}

func (p *Policy) at(j sim.JobID) (int, bool) {
	return slices.BinarySearchFunc(p.members, j, func(m *member, j sim.JobID) int { return int(m.id - j) })
}

// may reports whether a number of GPUs is one that a job may have.
func (m *member) may(n int) bool {
	if m.kind == rigid {
		return n == m.asks
	}
	return n >= m.lo && n <= m.hi && n%m.step == 0
}

// choices adds the configurations that a job needs which can have none of the others: the number
// that it asks for, on each type that has as many GPUs, or on several types together.
func (p *Policy) choices(v *sim.View, m *member) {
	for c := range p.configs {
		if f := &p.configs[c]; f.Type != ilp.Mixed && m.may(f.GPUs) && p.carries(v, m.id, f.Type, f.GPUs) &&
			m.kind != rigid {
			return
		}
	}
	some := false
	for t := range p.types {
		if p.carries(v, m.id, t, m.asks) {
			p.need(t, m.asks)
			some = true
		}
	}
	if m.kind = rigid; !some && v.Job(m.id).GPUType() == "" && m.asks <= v.Topology().GPUs() {
		p.need(ilp.Mixed, m.asks)
		m.mixed = true
	}
}
