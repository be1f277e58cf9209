package lyra

import (
	"cmp"
	"slices"

	"tarry/baselines/lyra/extra"
	"tarry/sim"
	"tarry/sim/cluster"
)

// share gives extra workers to jobs, type by type; a job that was left with less than its base demand gets
// back what it lacks in the same way.
func (p *Policy) share(v *sim.View) {
	for t := range v.Topology().Types() {
		p.jobs, p.of = p.jobs[:0], p.of[:0]
		for i := range p.runs {
			r := &p.runs[i]
			l := &p.lives[r.job]
			if r.typ != t || int(l.most) <= len(r.base) {
				continue
			}
			p.jobs = append(p.jobs, extra.Job{Left: p.left(v, r.job), Base: len(r.base), Most: int(l.most),
				Unit: int(l.unit), Speed: l.speed})
			p.of = append(p.of, int32(i))
		}
		p.chooser.Choose(v.Free().Type(t).Total(), p.jobs, p.cfg.greedy)
		for i, at := range p.of {
			p.runs[at].gets = p.jobs[i].Extra
		}
	}
	p.order = p.order[:0]
	for i := range p.runs {
		if p.runs[i].gets > 0 {
			p.order = append(p.order, int32(i))
			p.keep(v, &p.runs[i])
		}
	}
	slices.SortStableFunc(p.order, func(a, b int32) int { return cmp.Compare(p.runs[b].gets, p.runs[a].gets) })
	for _, i := range p.order {
		r := &p.runs[i]
		p.grow(v, r)
		if r.fresh || len(r.have) != len(r.extra) {
			p.nearer(v, r)
			p.faster(v, r)
		}
	}
}

// keep lets a job have what it held beyond its base, up to its new number, if no other starts there.
func (p *Policy) keep(v *sim.View, r *run) {
	from := len(p.arena)
	for _, g := range r.extra {
		if v.Free().Has(g) {
			p.arena = append(p.arena, g)
		}
	}
	kept := p.arena[from:len(p.arena):len(p.arena)]
	if len(kept) > r.gets {
		kept, _ = p.split(v, kept, r.gets, p.cfg.extraOn)
	}
	if p.placer.Stay(v, kept, &p.lives[r.job].demand) {
		r.have = kept
	}
}

// grow adds the GPUs that a job has too few of: as many whole workers as there is room for.
func (p *Policy) grow(v *sim.View, r *run) {
	if len(r.have) == r.gets {
		return
	}
	l := &p.lives[r.job]
	from := len(p.arena)
	p.arena = append(p.arena, r.have...)
	for len(p.arena)-from < r.gets {
		m, room := p.nearest(v, r, p.arena[from:], r.gets-(len(p.arena)-from))
		if m < 0 {
			break
		}
		n := len(p.arena)
		p.arena = v.Free().FromMachine(p.arena, m, min(room, r.gets-(n-from)), p.rule)
		p.placer.Take(v, p.arena[n:], &l.demand)
	}
	if over := (len(p.arena) - from) % int(l.unit); over > 0 { // less than a worker
		p.placer.Give(v, p.arena[len(p.arena)-over:], &l.demand)
		p.arena = p.arena[:len(p.arena)-over]
	}
	r.have = p.arena[from:len(p.arena):len(p.arena)]
}

// nearer places a job that changes its number as a whole, if that is nearer together and no fewer of its GPUs
// are on machines that base demands prefer.
func (p *Policy) nearer(v *sim.View, r *run) {
	t, d := v.Topology(), p.lives[r.job].demand
	from := len(p.arena)
	p.arena = append(append(p.arena, r.base...), r.have...)
	old := p.arena[from:len(p.arena):len(p.arena)]
	slices.Sort(old)
	level := t.LevelOf(old)
	if level <= cluster.LevelMachine {
		return
	}
	p.placer.Give(v, old, &d)
	d.GPUs = int32(len(old))
	if gpus, ok := p.placer.OfType(v, r.typ, &d); ok {
		if t.LevelOf(gpus) < level && p.preferred(v, gpus) >= p.preferred(v, old) {
			r.base, r.have = gpus, nil
			return
		}
		p.placer.Give(v, gpus, &d)
	}
	p.placer.Take(v, old, &d)
}

// faster drops extra workers that are so far away that the job runs no faster with them.
func (p *Policy) faster(v *sim.View, r *run) {
	if len(r.have) == 0 || v.Topology().LevelOf(r.have) <= cluster.LevelMachine &&
		v.Topology().Machine(r.have[0]) == v.Topology().Machine(r.base[0]) {
		return
	}
	from := len(p.arena)
	p.arena = append(append(p.arena, r.base...), r.have...)
	all := p.arena[from:len(p.arena):len(p.arena)]
	slices.Sort(all)
	from = len(p.arena)
	p.arena = append(p.arena, r.base...)
	base := p.arena[from:]
	slices.Sort(base)
	if p.rate(v, r.job, all) <= p.rate(v, r.job, base) {
		p.placer.Give(v, r.have, &p.lives[r.job].demand)
		r.have = nil
	}
}

func (p *Policy) rate(v *sim.View, j sim.JobID, gpus []cluster.GPU) float64 {
	return v.Predict(j, sim.Placement{GPUs: gpus, Idle: true}).Rate
}

// preferred counts GPUs of machines that base demands prefer.
func (p *Policy) preferred(v *sim.View, gpus []cluster.GPU) (n int) {
	for _, g := range gpus {
		if p.class(v, v.Topology().Machine(g), p.cfg.baseOn) == 0 {
			n++
		}
	}
	return n
}

// nearest is the machine for more workers of a job, and for how many GPUs it has room: of the machines that
// they prefer one that the job is on, in its first rack, elsewhere; of these the fullest that has enough,
// else the machine with most; -1 = none.
func (p *Policy) nearest(v *sim.View, r *run, have []cluster.GPU, need int) (machine, room int) {
	t, f, d := v.Topology(), v.Free(), &p.lives[r.job].demand
	machine = -1
	var best [3]int
	for m := range t.Machines() {
		n := f.InMachine(m)
		if n == 0 || typeAt(t, m) != r.typ {
			continue
		}
		if n = min(n, p.placer.Room(v, m, d)); n == 0 {
			continue
		}
		rank := [3]int{p.class(v, m, p.cfg.extraOn), distance(t, m, r.base, have), fit(n, need)}
		if machine < 0 || slices.Compare(rank[:], best[:]) < 0 {
			machine, room, best = m, n, rank
		}
	}
	return machine, room
}

// fit ranks n free GPUs for a need: few beyond the need first, then many below it.
func fit(n, need int) int {
	if n >= need {
		return n - need
	}
	return 1<<20 - n
}

// distance is 0 on a machine of the job, 1 in the rack of its first GPU, else 2.
func distance(t *cluster.Topology, m int, base, have []cluster.GPU) int {
	for _, list := range [...][]cluster.GPU{base, have} {
		for _, g := range list {
			if t.Machine(g) == m {
				return 0
			}
		}
	}
	if t.Rack(m) == t.Rack(t.Machine(base[0])) {
		return 1
	}
	return 2
}
