package muri

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// share is what each of n jobs holds of a GPU, in thousandths.
func (p *Policy) share(m *member, n int) int32 {
	if m.alone {
		return 0 // its own
	}
	return int32(1000 / n)
}

// settle gives the chosen groups their GPUs: the GPUs that a job of theirs holds, or others.
func (p *Policy) settle(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.byWidth()
	p.wants, p.gpus = p.wants[:0], p.gpus[:0]
	if n := v.Topology().GPUs(); len(p.claimed) < n {
		p.claimed = make([]bool, n)
	}
	for _, g := range p.claims {
		p.claimed[g] = false
	}
	p.claims = p.claims[:0]
	for _, i := range p.order {
		g := &p.groups[i]
		if g.stays = p.keeps(v, g); g.stays != sim.NoJob {
			p.want(v, g, v.Run(g.stays).Held())
		}
	}
	p.vacate(v)
	for _, i := range p.order {
		if g := &p.groups[i]; g.stays == sim.NoJob {
			p.on(v, g)
		}
	}
	return p.target.Decide(v, p.wants, out)
}

// byWidth puts the groups in the order in which they get GPUs.
func (p *Policy) byWidth() {
	p.order = p.order[:0]
	for i := range p.groups {
		p.order = append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.groups[b].gpus, p.groups[a].gpus) })
}

// keeps gives a job of a group on whose GPUs the group stays; NoJob = there is none.
func (p *Policy) keeps(v *sim.View, g *group) sim.JobID {
next:
	for _, m := range g.members() {
		if v.Run(m.job).State() != sim.Running || len(v.Run(m.job).Held()) != int(g.gpus) {
			continue
		}
		for _, x := range v.Run(m.job).Held() {
			if p.claimed[x] || !v.Up(x) {
				continue next
			}
		}
		for _, x := range v.Run(m.job).Held() {
			p.claimed[x] = true
			p.claims = append(p.claims, x)
		}
		return m.job
	}
	return sim.NoJob
}

// vacate plans as if the running jobs that do not stay had given their GPUs back; who is preempted
// and has a checkpoint to write keeps them for now.
func (p *Policy) vacate(v *sim.View) {
	for _, m := range p.list {
		if v.Run(m.job).State() != sim.Running || m.group >= 0 && p.groups[m.group].stays == m.job || m.group < 0 &&
			v.Run(m.job).CheckpointTime() > 0 {
			continue
		}
		k := v.Run(m.job).Knobs()
		d := plan.Demand{GPUs: m.gpus, Type: m.typ, ShareMilli: k.ShareMilli, CPUMilli: k.CPUMilli, MemMiB: k.MemMiB}
		p.place.Vacate(v, m.job, &d)
	}
}

// on places a group, or as many of its jobs as hosts can carry, the best first.
func (p *Policy) on(v *sim.View, g *group) {
	for n := g.n; n > 0; n-- {
		d := plan.Demand{GPUs: g.gpus, Type: g.jobs[0].typ, ShareMilli: 1000}
		here := 0
		for _, m := range g.jobs[:n] {
			if s := v.Run(m.job).State(); s != sim.Waiting && s != sim.Running {
				continue
			}
			a := v.Job(m.job).Public()
			here++
			d.CPUMilli += a.CPUMilli
			d.MemMiB += a.MemMiB
		}
		if here == 0 {
			return
		}
		gpus, ok := []cluster.GPU(nil), false
		if p.room.holds(g.mib) {
			gpus, ok = p.place.Place(v, &d)
		} else {
			gpus, ok = p.large(v, g, d.Type)
		}
		if ok {
			p.wantFirst(v, g, n, gpus)
			return
		}
		if d.CPUMilli == 0 && d.MemMiB == 0 {
			return
		}
	}
}

// large gives a job GPUs with memory enough for it, where not all have that, the lowest first.
func (p *Policy) large(v *sim.View, g *group, typ string) ([]cluster.GPU, bool) {
	t, f, from := v.Topology(), v.Free(), len(p.gpus)
	for x := cluster.GPU(0); int(x) < t.GPUs() && len(p.gpus) < from+int(g.gpus); x++ {
		m := t.Machine(x)
		if c := t.GPUMiB(m); f.Has(x) && (c == 0 || c >= g.mib) &&
			(typ == "" || len(t.Types()) == 1 || t.Type(m) == typ) {
			p.gpus = append(p.gpus, x)
		}
	}
	gpus := p.gpus[from:len(p.gpus):len(p.gpus)]
	if len(gpus) < int(g.gpus) {
		return nil, false
	}
	f.TakeAll(gpus)
	return gpus, true
}

// want lists what the jobs of a group want that can have GPUs now.
func (p *Policy) want(v *sim.View, g *group, gpus []cluster.GPU) { p.wantFirst(v, g, g.n, gpus) }

// wantFirst is want for the first n of them.
func (p *Policy) wantFirst(v *sim.View, g *group, n int, gpus []cluster.GPU) {
	here := 0
	for _, m := range g.jobs[:n] {
		if s := v.Run(m.job).State(); s == sim.Waiting || s == sim.Running {
			here++
		}
	}
	for _, m := range g.jobs[:n] {
		if s := v.Run(m.job).State(); s == sim.Waiting || s == sim.Running {
			p.wants = append(p.wants, plan.Want{Job: m.job, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: p.share(m, here)}})
		}
	}
}
