package gavel

import (
	"math"

	"tarry/baselines/gavel/objective"
	"tarry/sim"
)

// shares is the memory of the allocation problems.
type shares struct {
	in       objective.Input
	x        objective.Matrix
	jobs     []sim.JobID // row of the problem -> job
	entities map[string]int
	parts    []float64 // per column, scratch
}

// past is what finish-time fairness remembers of a job: how long its steps would have taken with
// its equal share alone.
type past struct {
	steps float64 // left at the last computation, below 0 before the first
	rate  float64 // alone with its share, steps/s, at the last computation
	iso   float64 // seconds
}

// Allocate computes the fractions of time anew. now is in seconds.
func (p *Book) Allocate(v *sim.View, now float64) {
	in := &p.in
	k := len(p.types)
	*in = objective.Input{Workers: append(in.Workers[:0], p.usable...), Throughput: in.Throughput[:0], Job: in.Job[:0],
		Scale: in.Scale[:0], Weight: in.Weight[:0],
		Steps: in.Steps[:0], ElapsedS: in.ElapsedS[:0], IsolatedS: in.IsolatedS[:0], Cost: p.cfg.prices,
		SLOS: in.SLOS[:0], Entity: in.Entity[:0],
		EntityWeight: in.EntityWeight[:0], Pairs: in.Pairs[:0], Reference: p.ref}
	p.jobs = p.jobs[:0]
	for _, j := range p.active {
		n := p.rounds.Row(j)
		m := &p.rows[n]
		able := false
		for c := range k {
			able = able || p.able(n, c)
		}
		if m.wide || !able {
			continue
		}
		p.jobs = append(p.jobs, j)
		for c := range k {
			t := 0.0
			if p.able(n, c) {
				t = m.rate[c]
			}
			in.Throughput = append(in.Throughput, t)
		}
		in.Job, in.Scale = append(in.Job, int(j)), append(in.Scale, int(m.demand.GPUs))
		in.Weight = append(in.Weight, m.weight)
	}
	if len(p.jobs) == 0 {
		return
	}
	if p.cfg.entry.Steps {
		p.remaining(v, now)
	}
	if p.cfg.slo {
		p.limits(v, now)
	}
	if p.cfg.entity != "none" {
		p.groups()
	}
	if p.cfg.packing {
		p.combine(v)
	}
	if _, err := p.alloc.Allocate(in, &p.x); err != nil { // arithmetic: every job an equal share
		objective.Isolated{}.Allocate(in, &p.x)
	}
	if p.cfg.spread {
		p.spread()
	}
	for i, j := range p.jobs {
		n := p.rounds.Row(j)
		for c, x := range p.x.Row(i) {
			p.rounds.Set(n, c, x)
		}
	}
	if p.cfg.packing {
		p.promise()
	}
}

// able reports whether a job can run on a column.
func (p *Book) able(n int32, c int) bool { return p.rounds.CanRun(n, c) && p.usable[c] > 0 }

// remaining fills in steps left, and what finish-time fairness compares.
func (p *Book) remaining(v *sim.View, now float64) {
	in, k := &p.in, len(p.types)
	for i, j := range p.jobs {
		m := p.of(j)
		left := p.stepsLeft(v, m)
		if m.past.steps >= 0 && m.past.rate > 0 {
			m.iso += (m.past.steps - left) / m.past.rate
		}
		sum, alone := 0.0, 0.0
		for c, n := range in.Workers {
			x, t := float64(n)/float64(len(p.jobs))/float64(in.Scale[i]), in.Throughput[i*k+c]
			if !p.cfg.entry.Typed {
				t = in.Throughput[i*k+in.Reference]
			}
			sum += x
			alone += float64(x * t)
		}
		m.past.steps, m.past.rate = left, alone/max(sum, 1)
		in.Steps = append(in.Steps, left)
		in.ElapsedS = append(in.ElapsedS, max(0, now-v.Job(j).Submit().Seconds()))
		in.IsolatedS = append(in.IsolatedS, max(0, m.iso))
	}
}

// limits fills in the seconds until each job's deadline.
func (p *Book) limits(v *sim.View, now float64) {
	for _, j := range p.jobs {
		s := math.Inf(1)
		if d := v.Job(j).Public().Deadline; d > 0 {
			s = max(1e-6, d.Seconds()-now)
		}
		p.in.SLOS = append(p.in.SLOS, s)
	}
}

// groups fills in the entities, numbered as they come.
func (p *Book) groups() {
	if p.entities == nil {
		p.entities = map[string]int{}
	}
	clear(p.entities)
	for _, j := range p.jobs {
		name := p.of(j).entity
		e, ok := p.entities[name]
		if !ok {
			e = len(p.entities)
			p.entities[name] = e
			p.in.EntityWeight = append(p.in.EntityWeight, p.of(j).entityWeight)
		}
		p.in.Entity = append(p.in.Entity, e)
	}
}

// stepsLeft is how many steps a job has left, at least the least that counts.
func (p *Book) stepsLeft(v *sim.View, m *member) float64 {
	if p.rules.Counted {
		return m.left
	}
	return max(1e-9, v.Run(m.job).Left()/(m.stepS*1e6))
}
