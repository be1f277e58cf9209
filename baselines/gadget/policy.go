package gadget

import (
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// policy is gadget-like. Build it with New; it belongs to one run.
type policy struct {
	length sim.Time // of a slot
	scale  float64  // iterations
	nodes  int
	sizer  *plan.Sizer
	curves plan.Curves
	links  uplinks
	jobs   []sim.JobID // in the system, by arrival
	ran    []sim.Time  // running time of each at the last slot's beginning
	due    plan.Alarm
	picked []pick // of the slot
	late   bool   // some of it could not be given yet

	// Of a decision:
	slot   slot
	in     []sim.JobID // jobs of the programme
	caps   []float64
	counts []plan.Count
}

// pick is the ring of a job in a slot.
type pick struct {
	job          sim.JobID
	workers, typ int32
}

// New makes gadget-like; the package comment states what it does. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &policy{sizer: plan.NewSizer(rule)}
	p.length = max(1, sim.Seconds(s.Float("slot", 120, 1e-6, 1e9)))
	p.scale = s.Float("scale", 100, 1e-6, 1e12)
	p.nodes = s.Int("nodes", 100, 0, 1<<30)
	if s.Enum("moves", "spread", "near") == "spread" {
		p.sizer.Moves = plan.MoveSpread
	}
	return p, s.Err()
}

// Knows declares speeds on numbers of GPUs, and the iterations that jobs have done.
func (p *policy) Knows() know.Set { return know.Done | know.Speed }

// Decide gives out all GPUs anew when a slot begins, at each multiple of its length. Rings for which
// checkpoints are written then start when these are done.
func (p *policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	drained := p.follow(v)
	n, due := len(out), p.due.Rung(v.Now()) || v.Now()%p.length == 0
	switch {
	case due:
		p.capacity(v)
		p.keep(v)
		p.write(v)
		p.slot.solve(p.most())
		p.read()
	case !drained || !p.late:
		return p.wake(v, len(p.jobs) > 0, out)
	}
	p.count(v)
	out = p.sizer.Decide(v, p.counts, out)
	p.late = p.late || len(p.sizer.Late()) > 0
	may := !due || len(out) > n || len(v.Running())+v.Draining() > 0 && !p.settled()
	return p.wake(v, len(p.jobs) > 0 && may, out)
}

// settled reports whether the next slots are as this one, in which nothing was decided: each job has
// the ring that gains it most, and none starts up.
func (p *policy) settled() bool {
	return !p.late && len(p.in) == len(p.jobs) && p.slot.content()
}

// most is how many linear problems the programme may take: fewer where it has more options, so that
// the work of a slot is bounded.
func (p *policy) most() int { return int(int64(p.nodes) * 1000 / int64(max(1000, len(p.slot.rings)))) }

// wake asks for the next slot where it may change something. Whatever happens before asks as well.
func (p *policy) wake(v *sim.View, may bool, out []sim.Decision) []sim.Decision {
	if p.due.At(v.Now()) != sim.Never || !may {
		return out
	}
	return p.due.Set(v.Now(), (v.Now()/p.length+1)*p.length, out)
}

// follow takes note of who came and went, and reports whether a checkpoint was written.
func (p *policy) follow(v *sim.View) (drained bool) {
	for _, ev := range v.Events() {
		switch {
		case ev.Job == sim.NoJob:
		case ev.Kind == sim.Arrive && v.Run(ev.Job).State() == sim.Waiting:
			p.jobs, p.ran = append(p.jobs, ev.Job), append(p.ran, 0)
		case ev.Kind == sim.Finish:
			if i, ok := slices.BinarySearch(p.jobs, ev.Job); ok {
				p.jobs, p.ran = slices.Delete(p.jobs, i, i+1), slices.Delete(p.ran, i, i+1)
			}
		}
		drained = drained || ev.Kind == sim.Drained
	}
	return drained
}

// capacity counts the GPUs of each type that are up.
func (p *policy) capacity(v *sim.View) {
	t := v.Topology()
	p.caps = p.caps[:0]
	for range t.Types() {
		p.caps = append(p.caps, 0)
	}
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			if v.Up(g) {
				p.caps[t.TypeOf(m)]++
			}
		}
	}
}

// keep picks the jobs first that have not run since the last slot began, though they have GPUs:
// they start up, and would never run where slots are shorter than that takes.
func (p *policy) keep(v *sim.View) {
	p.picked, p.in = p.picked[:0], p.in[:0]
	for i, j := range p.jobs {
		r := v.Run(j)
		if r.State() != sim.Running || r.Time() > p.ran[i] {
			p.in = append(p.in, j)
		} else {
			n := p.width(v, j, 1)
			for _, g := range r.Held() {
				if v.Up(g) {
					t := v.Topology().TypeOf(v.Topology().Machine(g))
					p.caps[t] = max(0, p.caps[t]-n)
				}
			}
			p.picked = append(p.picked, pick{j, int32(len(r.Held())), int32(p.typeOf(v, j))})
		}
		p.ran[i] = r.Time()
	}
}

// write writes the programme: a row for the GPUs of each type, and where jobs share links a row for
// the uplinks of all machines.
func (p *policy) write(v *sim.View) {
	if v.Links().Count() > 0 {
		p.caps = append(p.caps, float64(v.Topology().Machines()))
	}
	p.slot.open(p.caps)
	for _, j := range p.in {
		p.rings(v, j)
		p.slot.shut()
	}
	p.slot.seal()
}

// rings adds the rings of a job: each number of workers on each type that it may have.
func (p *policy) rings(v *sim.View, j sim.JobID) {
	c := p.curves.Counts(v, j)
	has := p.typeOf(v, j)
	if c.Wide || has < -1 {
		p.several(v, j, &c)
		return
	}
	for w := c.Lo; w <= c.Hi; w += c.Unit {
		for t, name := range v.Topology().Types() {
			if c.Type >= 0 && t != c.Type || has >= 0 && t != has || float64(w) > p.caps[t]+1e-9 {
				continue
			}
			speed := c.Speed
			if c.Type < 0 {
				speed = p.curves.OfType(v, j, name)
			}
			if w < len(speed) && speed[w] > 0 {
				m, busy := p.links.of(v, j, t, w)
				use := p.slot.ring(ring{workers: int32(w), typ: int32(t), machines: m}, p.gain(v, j, speed[w]))
				if use[t] = p.width(v, j, w); len(use) > len(v.Topology().Types()) {
					use[len(use)-1] = float64(m) * busy
				}
			}
		}
	}
}

// several adds the ring of a job on GPUs of several types, where it has so many or needs them: a
// part of each type's row.
func (p *policy) several(v *sim.View, j sim.JobID, c *plan.Counts) {
	w, all := c.Lo, 0.0
	if held := len(v.Run(j).Held()); held > 0 {
		w = held
	}
	types := p.caps[:len(v.Topology().Types())]
	for _, n := range types {
		all += n
	}
	if float64(w) > all {
		return
	}
	use := p.slot.ring(ring{workers: int32(w), typ: -1, machines: 1}, p.gain(v, j, float64(w)))
	for t, n := range types {
		use[t] = p.width(v, j, w) * n / all
	}
}

// width is what w workers take of a row: jobs that share GPUs count by their share.
func (p *policy) width(v *sim.View, j sim.JobID, w int) float64 {
	if s := v.Run(j).Knobs().ShareMilli; s < 1000 {
		return float64(w) * float64(s) / 1000
	}
	return float64(w)
}

// gain is the utility of a slot at a speed: ln(1 + x / scale) after it, less that before, of the
// iterations x that a job has done. A second of work on one GPU counts as an iteration where their
// length is unknown.
func (p *policy) gain(v *sim.View, j sim.JobID, speed float64) float64 {
	unit := v.Job(j).IterS() * 1e6
	if !(unit > 0) {
		unit = 1e6
	}
	return fixmath.Log1p(speed * float64(p.length) / (float64(p.scale*unit) + v.Run(j).Done()))
}

// typeOf is the type of the GPUs that a job has, -1 where it has none, -2 where they are several.
func (p *policy) typeOf(v *sim.View, j sim.JobID) int {
	t := -1
	for _, g := range v.Run(j).Held() {
		switch x := v.Topology().TypeOf(v.Topology().Machine(g)); {
		case t < 0:
			t = x
		case t != x:
			return -2
		}
	}
	return t
}

// read adds what was picked.
func (p *policy) read() {
	for i, j := range p.in {
		if r := p.slot.rings[p.slot.pick[i]]; r.workers > 0 {
			p.picked = append(p.picked, pick{j, r.workers, r.typ})
		}
	}
}

// count lists what was picked, running jobs first, which may stay where they are. late is set where
// a picked job's own checkpoint is being written.
func (p *policy) count(v *sim.View) {
	p.counts, p.late = p.counts[:0], false
	for _, state := range [...]sim.JobState{sim.Running, sim.Waiting, sim.Draining} {
		for _, k := range p.picked {
			if v.Run(k.job).State() != state {
				continue
			}
			if state == sim.Draining {
				p.late = true
				continue
			}
			c := plan.Count{Job: k.job, GPUs: k.workers}
			if k.typ >= 0 {
				c.Type = v.Topology().Types()[k.typ]
			}
			p.counts = append(p.counts, c)
		}
	}
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *policy) Clone() sim.Policy {
	c := *p
	c.sizer, c.curves, c.jobs = p.sizer.Clone(), p.curves.Clone(), slices.Clone(p.jobs)
	c.ran = slices.Clone(p.ran)
	c.picked = slices.Clone(p.picked)
	c.links = uplinks{}
	c.slot, c.in, c.caps, c.counts = slot{}, nil, nil, nil
	return &c
}
