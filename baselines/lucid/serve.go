package lucid

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// serve starts jobs of the main queue in order. While jobs share, one that finds no place is passed
// over; else it blocks those behind it.
func (p *Policy) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	share := p.shares()
	p.late = sim.NoJob
	p.turns.open()
	kept, n := 0, 0
	for i, j := range p.line {
		n = len(out)
		if share && !p.cfg.idleFirst {
			out = p.beside(v, j, out)
		}
		if len(out) == n {
			out = p.alone(v, j, out)
		}
		if len(out) == n && share && p.cfg.idleFirst {
			out = p.beside(v, j, out)
		}
		if len(out) > n {
			continue
		}
		p.line[kept] = j
		if kept++; !share && p.held+p.pool.busy > 0 { // what an idle cluster cannot hold blocks no job
			kept += copy(p.line[kept:], p.line[i+1:])
			break
		}
	}
	p.line = p.line[:kept]
	return out
}

// beside starts a job on the GPUs of another, if there is one that suits.
func (p *Policy) beside(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	c := p.jobs[j].class
	if p.turns.unpaired(c) {
		return out
	}
	if r := p.mateOf(v, j, out); r != sim.NoJob {
		return p.join(v, j, r, out)
	}
	p.turns.pass(c)
	return out
}

// alone starts a job on GPUs of its own, if there are some.
func (p *Policy) alone(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	c, idle := p.jobs[j].class, p.held == 0
	if p.turns.unplaced(c) {
		return out
	}
	if gpus, ok := p.exclusive(v, j, p.demand.Demand(j), idle); ok {
		return p.start(v, j, gpus, out)
	}
	if p.turns.close(c); idle && p.pool.busy > 0 {
		p.late = j
	}
	return out
}

// start gives a job GPUs of its own.
func (p *Policy) start(v *sim.View, j sim.JobID, gpus []cluster.GPU, out []sim.Decision) []sim.Decision {
	d := p.demand.Demand(j)
	p.jobs[j].where = running
	p.held++
	p.turns.again()
	if d.ShareMilli == 1000 && int(d.GPUs) <= p.cfg.shareGPUs {
		p.lists(int(d.GPUs))
		p.runs[d.GPUs] = append(p.runs[d.GPUs], j)
	}
	return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

func (p *Policy) lists(g int) {
	for len(p.runs) <= g {
		p.runs = append(p.runs, nil)
	}
}

// mateOf is the running job whose GPUs a job may share, the first that started; NoJob where there
// is none.
func (p *Policy) mateOf(v *sim.View, j sim.JobID, out []sim.Decision) sim.JobID {
	d := p.demand.Demand(j)
	if int(d.GPUs) >= len(p.runs) || d.ShareMilli < 1000 || !p.known(v, j) {
		return sim.NoJob
	}
	for _, r := range p.runs[d.GPUs] {
		if m := &p.jobs[r]; m.mate != sim.NoJob || p.jobs[j].key > float64(p.cfg.ratio*m.key) || !p.known(v, r) ||
			p.tooSlow(v, j, r) {
			continue
		}
		gpus := p.gpusOf(v, r, out)
		if p.suits(v, j, r, gpus) && p.score(v, j, r, gpus) <= p.cfg.sum {
			return r
		}
	}
	return sim.NoJob
}

// known reports whether what the profiler shows is known of a job.
func (p *Policy) known(v *sim.View, j sim.JobID) bool {
	return p.cfg.profiler != "native" || v.Run(j).Started() != sim.Never
}

// gpusOf are the GPUs of a job of the main pool, which may start at this instant.
func (p *Policy) gpusOf(v *sim.View, j sim.JobID, out []sim.Decision) []cluster.GPU {
	if v.Run(j).State() == sim.Running && !slices.Contains(p.freed, j) {
		return v.Run(j).Held()
	}
	for i := range out {
		if out[i].Kind == sim.Start && out[i].Job == j {
			return out[i].GPUs
		}
	}
	return nil
}

// suits reports whether the GPUs of a running job, which it has alone, are as many as another asks
// for and of its type, with memory left over, on machines with CPU and memory for both.
func (p *Policy) suits(v *sim.View, j, r sim.JobID, gpus []cluster.GPU) bool {
	d, t := p.demand.Demand(j), v.Topology()
	if len(gpus) != int(d.GPUs) {
		return false
	}
	own := int(v.Run(r).Knobs().ShareMilli)
	both := int64(v.Job(j).GPUMiB()) + int64(v.Job(r).GPUMiB())
	for i := 0; i < len(gpus); {
		m := t.Machine(gpus[i])
		n := int32(0)
		for ; i < len(gpus) && t.Machine(gpus[i]) == m; i++ {
			if n++; v.Share(gpus[i]) > 0 && (v.Owner(gpus[i]) != r || v.Share(gpus[i]) != own) ||
				!v.Up(gpus[i]) {
				return false
			}
		}
		if c := t.GPUMiB(m); !typed(t, m, d.Type) || c > 0 && both >= c || p.place.Room(v, m, d) < int(n) {
			return false
		}
	}
	return true
}

// join starts a job beside another, each with half of their GPUs.
func (p *Policy) join(v *sim.View, j, r sim.JobID, out []sim.Decision) []sim.Decision {
	half := *p.demand.Demand(j)
	half.ShareMilli = 500
	gpus := p.place.Given(v, &half, p.gpusOf(v, r, out))
	p.jobs[j].mate, p.jobs[r].mate = r, j
	out = append(out, sim.Decision{Kind: sim.Tune, Job: r, Knobs: sim.Knobs{ShareMilli: 500}})
	out = p.start(v, j, gpus, out)
	out[len(out)-1].ShareMilli = 500
	return out
}
