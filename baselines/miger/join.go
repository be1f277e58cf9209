package miger

import (
	"tarry/baselines/miger/layout"
	"tarry/sim"
	"tarry/sim/cluster"
)

// way is how a job joins a GPU.
type way struct {
	gpu  cluster.GPU
	net  float64 // gain x horizon less the cost
	to   target  // what it gets
	mate int     // the resident whose share changes for it, -1 = none
	left int32   // the share that the mate keeps
	plan bool    // by a repartition
	try  attempt
}

// join appends what starts a job beside others, where that gains most; nothing if it gains too
// little everywhere.
func (p *Policy) join(v *sim.View, k int32, j sim.JobID, out []sim.Decision) []sim.Decision {
	x, t := &p.kinds[k], v.Topology()
	best := way{net: 0, gpu: -1}
	for _, g := range p.active {
		c := &p.cells[g]
		class := p.classAt[t.Machine(g)]
		if c.stamp <= x.seen || int(c.n) >= p.most || !p.open(v, g) || c.closed == p.round || !p.steady(v, c) ||
			x.typ != "" && len(t.Types()) > 1 && p.classes[class].typ != x.typ {
			continue
		}
		if t.GPUMiB(t.Machine(g)) > 0 && p.used(c)+int64(x.gpuMiB) > t.GPUMiB(t.Machine(g)) {
			continue
		}
		p.beside(v, class, g, member{j, k}, &best)
		p.anew(v, class, g, member{j, k}, &best)
	}
	if best.gpu < 0 {
		x.seen = p.stamp
		return out
	}
	return p.admit(&best, k, j, out)
}

// used is the memory that the jobs of a GPU need.
func (p *Policy) used(c *cell) (mib int64) {
	for i := range c.in() {
		mib += int64(p.kinds[c.jobs[i].kind].gpuMiB)
	}
	return mib
}

// beside looks at the ways that keep the instances in use: one that fits beside them, or a part of
// one that a job has alone.
func (p *Policy) beside(v *sim.View, class int8, g cluster.GPU, m member, best *way) {
	c, cl := &p.cells[g], &p.classes[class]
	used := c.set()
	better := func(gain float64, w way) {
		if net := float64(gain * p.horizon); gain > p.least && net > best.net {
			w.net, w.gpu = net, g
			*best = w
		}
	}
	for at := range cl.dev.Placements {
		if cl.dev.Fits(used, at) {
			better(p.worth(v, class, m, cl.profile(at)), way{to: target{int8(at), cl.dev.Of(at).Milli()}, mate: -1})
		}
	}
	for i := range c.in() {
		r := &c.jobs[i]
		if c.mate(i) >= 0 {
			continue
		}
		profile, first := cl.profile(int(r.at)), 1
		a, b := r.member(), m
		if m.before(a) {
			a, b, first = b, a, 0
		}
		if x := p.pair(v, class, a, b, profile); x.worth >= 0 {
			better(x.worth-max(0, p.worth(v, class, r.member(), profile)),
				way{to: target{r.at, x.share[first]}, mate: i, left: x.share[1-first]})
		}
	}
}

// anew looks at the best configuration for all.
func (p *Policy) anew(v *sim.View, class int8, g cluster.GPU, m member, best *way) {
	c := &p.cells[g]
	now := p.present(v, class, c)
	if most := p.bound(v, class, c, m) - now; most <= p.least || float64(most*p.horizon) <= best.net {
		return
	}
	var from [layout.MaxJobs]int8
	n := p.gather(c, m, &from)
	x := p.best(v, class, n)
	gain := x.worth - now
	if !x.ok || gain <= p.least || float64(gain*p.horizon) <= best.net || !p.realise(v, class, c, m, &from, n, &x) {
		return
	}
	if net := float64(gain*p.horizon) - p.try.cost; net > best.net {
		*best = way{gpu: g, net: net, to: p.try.to[c.n], mate: -1, plan: true, try: p.try}
	}
}

// bound is no less than the value of the jobs of a GPU and one that comes: each as if it had
// the GPU to itself, as no job is faster beside others.
func (p *Policy) bound(v *sim.View, class int8, c *cell, m member) float64 {
	all := p.classes[class].profile(p.classes[class].all)
	sum := max(0, p.worth(v, class, m, all))
	for i := range c.in() {
		sum += max(0, p.worth(v, class, c.jobs[i].member(), all))
	}
	return sum
}

// admit appends the changes for a job, and its start.
func (p *Policy) admit(w *way, k int32, j sim.JobID, out []sim.Decision) []sim.Decision {
	c := &p.cells[w.gpu]
	d := sim.Decision{Kind: sim.Start, Job: j, GPUs: p.gpus[w.gpu : w.gpu+1 : w.gpu+1],
		Knobs: sim.Knobs{Instance: uint8(w.to.at + 1), ShareMilli: w.to.share}}
	switch {
	case w.plan:
		p.try = w.try
		out = p.carry(w.gpu, out)
		if w.try.moved {
			d.Delay = p.cut
		}
	case w.mate >= 0:
		r := &c.jobs[w.mate]
		out = p.change(r, target{r.at, w.left}, out)
	}
	p.enter(w.gpu, resident{job: j, kind: k, at: w.to.at, share: w.to.share})
	return append(out, d)
}

// settle looks at the jobs that stay on a GPU that others have left: it is cut anew if that gains,
// else each has its instance, or its part of it, to the full.
func (p *Policy) settle(v *sim.View, g cluster.GPU, out []sim.Decision) []sim.Decision {
	c := &p.cells[g]
	if c.n == 0 || c.closed == p.round || !p.steady(v, c) {
		return out
	}
	class := p.classAt[v.Topology().Machine(g)]
	var from [layout.MaxJobs]int8
	n := p.gather(c, member{job: sim.NoJob}, &from)
	if x := p.best(v, class, n); x.ok {
		gain := x.worth - p.present(v, class, c)
		if gain > p.least && p.realise(v, class, c, member{job: sim.NoJob}, &from, n, &x) &&
			float64(gain*p.horizon) > p.try.cost {
			return p.carry(g, out)
		}
	}
	for i := range c.in() {
		r := &c.jobs[i]
		if all := p.classes[class].dev.Of(int(r.at)).Milli(); r.share < all && c.mate(i) < 0 {
			out = p.change(r, target{r.at, all}, out)
		}
	}
	return out
}
