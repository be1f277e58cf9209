package miger

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/mig"
)

// sequence orders the changes of p.try so that each is possible when its turn comes: its instance
// fits beside those then in use, or is one of them with share and memory enough left. It reports
// whether there is such an order, as there is not where jobs exchange instances.
func (p *Policy) sequence(class int8, c *cell) bool {
	t := &p.try
	w := *c // as it is after the steps so far
	t.steps = 0
	for {
		again, left := false, false
		for i := range w.in() {
			r, to := &w.jobs[i], t.to[i]
			if r.at == to.at && r.share == to.share {
				continue
			}
			if !p.possible(class, &w, i, to) {
				left = true
				continue
			}
			r.at, r.share = to.at, to.share
			t.order[t.steps] = int8(i)
			t.steps++
			again = true
		}
		if !left || !again {
			return !left
		}
	}
}

// possible reports whether resident i may have a target now.
func (p *Policy) possible(class int8, w *cell, i int, to target) bool {
	d := p.classes[class].dev
	o := d.Of(int(to.at))
	var others mig.Set
	share, mib := to.share, int64(p.kinds[w.jobs[i].kind].gpuMiB)
	for k := range w.in() {
		if r := &w.jobs[k]; k != i {
			others = others.With(int(r.at))
			if r.at == to.at {
				share += r.share
				mib += int64(p.kinds[r.kind].gpuMiB)
			}
		}
	}
	return share <= o.Milli() && mib <= int64(o.MiB) && (others.Has(int(to.at)) || d.Fits(others, int(to.at)))
}

// carry appends the changes of p.try for the jobs on a GPU.
func (p *Policy) carry(g cluster.GPU, out []sim.Decision) []sim.Decision {
	c := &p.cells[g]
	for _, i := range p.try.order[:p.try.steps] {
		out = p.change(&c.jobs[i], p.try.to[i], out)
	}
	p.touch(c)
	return out
}

// change appends the Tune that gives a job its target.
func (p *Policy) change(r *resident, to target, out []sim.Decision) []sim.Decision {
	d := sim.Decision{Kind: sim.Tune, Job: r.job, Knobs: sim.Knobs{ShareMilli: to.share}}
	if r.at != to.at {
		d.Instance, d.Delay = uint8(to.at+1), p.cut
		if r.cut == p.round && p.kinds[r.kind].service > 0 { // a replica waits once
			d.Delay = 0
		}
		r.cut = p.round
	}
	r.at, r.share = to.at, to.share
	return append(out, d)
}
