package miger

import (
	"tarry/baselines/miger/layout"
	"tarry/sim"
)

// company is the kinds of jobs on a GPU, ascending.
type company struct {
	class, n int8
	kinds    [layout.MaxJobs]int32
}

// choice is the best configuration for a company.
type choice struct {
	worth  float64
	ok     bool
	n      int8
	groups [layout.MaxJobs]layout.Group // of members in the order of the company
}

// mostChoices bounds what is remembered.
const mostChoices = 1 << 16

// gather puts the jobs of a cell, and one that comes where come is not sim.NoJob, into p.who, in
// the order of a company. from gives the index in the cell of each, c.n for the coming job.
func (p *Policy) gather(c *cell, come member, from *[layout.MaxJobs]int8) int {
	n := 0
	add := func(m member, i int8) {
		k := n
		for ; k > 0 && m.before(p.who[k-1]); k-- {
			p.who[k], from[k] = p.who[k-1], from[k-1]
		}
		p.who[k], from[k] = m, i
		n++
	}
	for i := range c.in() {
		add(c.jobs[i].member(), int8(i))
	}
	if come.job != sim.NoJob {
		add(come, c.n)
	}
	return n
}

// best is the best configuration for the first n of p.who.
func (p *Policy) best(v *sim.View, class int8, n int) choice {
	key := company{class: class, n: int8(n)}
	for i := range n {
		key.kinds[i] = p.who[i].kind
	}
	if x, ok := p.bests[key]; ok {
		return x
	}
	if len(p.bests) >= mostChoices {
		clear(p.bests)
	}
	values := layout.Values{Jobs: n,
		Alone: func(i, profile int) float64 { return p.worth(v, class, p.who[i], profile) },
		Pair: func(i, k, profile int) float64 {
			return p.pair(v, class, p.who[i], p.who[k], profile).worth
		}}
	var x choice
	groups, worth, ok := p.classes[class].shapes.Best(&p.solver, &values, x.groups[:0])
	x.worth, x.ok, x.n = worth, ok, int8(len(groups))
	p.bests[key] = x
	return x
}

// target is what a job should have.
type target struct {
	at    int8
	share int32
}

// attempt is a repartition that is looked at: what each job of the cell should have, by its index
// there, the coming job last.
type attempt struct {
	to    [layout.MaxJobs]target
	cost  float64 // microseconds at the speed of a complete GPU
	moved bool    // a job changes its instance
	order [layout.MaxJobs]int8
	steps int // how many of order are set
}

// realise gives the configuration places, near to where jobs are. It fills p.try and reports
// whether its changes can be made one by one.
func (p *Policy) realise(v *sim.View, class int8, c *cell, come member, from *[layout.MaxJobs]int8, n int,
	x *choice) bool {
	var now, place [layout.MaxJobs]int
	var weight [layout.MaxJobs]float64
	for i := range n {
		now[i] = layout.Nowhere
		if k := from[i]; k < c.n {
			now[i] = int(c.jobs[k].at)
			weight[i] = float64(p.cut) * p.speed(v, class, c, int(k))
		}
	}
	groups := x.groups[:x.n]
	cost, ok := p.classes[class].shapes.Realise(groups, now[:n], weight[:n], place[:len(groups)])
	if !ok {
		return false
	}
	t := &p.try
	t.cost, t.moved = cost, false
	for i, g := range groups {
		o := p.classes[class].dev.Of(place[i])
		share := [2]int32{o.Milli(), 0}
		if g.B >= 0 {
			share = p.pair(v, class, p.who[g.A], p.who[g.B], int(g.Profile)).share
		}
		t.to[from[g.A]] = target{int8(place[i]), share[0]}
		t.moved = t.moved || now[g.A] != place[i] && now[g.A] != layout.Nowhere
		if g.B >= 0 {
			t.to[from[g.B]] = target{int8(place[i]), share[1]}
			t.moved = t.moved || now[g.B] != place[i] && now[g.B] != layout.Nowhere
		}
	}
	if come.job != sim.NoJob && t.moved { // it waits as well
		t.cost += float64(float64(p.cut) * max(0, p.table(v, class,
			come).alone[p.classes[class].profile(int(t.to[c.n].at))]))
	}
	return p.sequence(class, c)
}
