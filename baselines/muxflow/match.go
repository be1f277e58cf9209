package muxflow

import (
	"slices"

	"tarry/baselines/muxflow/pairs"
	"tarry/sim"
	"tarry/sim/cluster"
)

// pair matches jobs that wait with GPUs that have a replica and no job.
func (p *Policy) pair(v *sim.View, out []sim.Decision) []sim.Decision {
	p.list(v)
	if len(p.waiting) == 0 || len(p.online) == 0 {
		return out
	}
	weights := pairs.Table{Rows: len(p.waiting), Cols: len(p.online), At: make([]float64, len(p.waiting)*len(p.online))}
	for i, j := range p.waiting {
		f, typ := p.offline(v, j), v.Job(j).GPUType()
		for k, g := range p.online {
			if typ == "" || cluster.SameType(typ, v.Topology().Type(v.Topology().Machine(g))) {
				weights.At[i*weights.Cols+k] = pairs.Weight(&f, &p.hosts[k], float64(p.tenths(&p.hosts[k]))/10)
			}
		}
	}
	columns, err := p.matching(weights)
	if err != nil {
		v.Fail(err)
		return out
	}
	for i, k := range columns {
		if k < 0 {
			continue
		}
		j, g, n := p.waiting[i], p.online[k], p.tenths(&p.hosts[k])
		p.queue.Remove(j)
		p.beside, p.lowered = append(p.beside, pair{j, g, n}), append(p.lowered, g)
		out = append(out, tune(v.Services().On(g), 1000-100*n), sim.Decision{Kind: sim.Start, Job: j,
			GPUs: p.online[k : k+1 : k+1], Knobs: sim.Knobs{ShareMilli: int32(100 * n)}})
	}
	return out
}

func (p *Policy) matching(weights pairs.Table) ([]int, error) {
	switch p.match {
	case "greedy":
		return pairs.Greedy(weights), nil
	case "first":
		order := make([]int, len(weights.At))
		for k := range order {
			order[k] = k
		}
		return pairs.InOrder(weights, order), nil
	}
	return pairs.Best(weights)
}

// list lists the jobs and GPUs that may be paired. No more jobs are looked at than there are GPUs, times
// four.
func (p *Policy) list(v *sim.View) {
	p.waiting, p.online, p.hosts = p.waiting[:0], p.online[:0], p.hosts[:0]
	for g := range cluster.GPU(v.Topology().GPUs()) {
		replica := v.Services().On(g)
		if replica == sim.NoJob || v.Sharers(g) > 0 || len(v.Run(replica).Held()) != 1 ||
			v.Services().Spec(v.Services().Of(replica)).ShareMilli%1000 != 0 || !v.Services().Lent(v.Topology().Machine(g)) ||
			p.left(g) {
			continue
		}
		if o := p.seen(v, g, replica); !o.Unhealthy && p.tenths(&o) > 0 {
			p.online, p.hosts = append(p.online, g), append(p.hosts, o)
		}
	}
	p.queue.Open()
	for len(p.waiting) < 4*len(p.online) {
		j := p.queue.Best()
		if j == sim.NoJob {
			break
		}
		d := p.queue.Demand(j)
		if d.GPUs == 1 && d.ShareMilli == 1000 && d.CPUMilli == 0 && d.MemMiB == 0 && !slices.Contains(p.evicted, j) {
			p.waiting = append(p.waiting, j)
		}
		p.queue.Remove(j)
		p.aside = append(p.aside, j)
	}
	for _, j := range p.aside {
		p.queue.Add(v, j, 0, 0)
	}
	p.aside = p.aside[:0]
}

// left reports whether a job leaves a GPU at this instant.
func (p *Policy) left(g cluster.GPU) bool {
	return slices.ContainsFunc(p.beside, func(x pair) bool { return x.gpu == g })
}

// offline is a job as pairs has it.
func (p *Policy) offline(v *sim.View, j sim.JobID) pairs.Offline {
	f := pairs.Offline{Need: v.Job(j).GPUUtilFrac(), Sensitivity: p.sensitivity, MiB: int64(v.Job(j).GPUMiB())}
	if f.Need <= 0 {
		f.Need = 1
	}
	return f
}

// Clone gives an independent copy. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.beside, c.cools, c.lowered = slices.Clone(p.beside), slices.Clone(p.cools), slices.Clone(p.lowered)
	c.waiting, c.online, c.hosts, c.evicted, c.aside = nil, nil, nil, nil, nil
	return &c
}
