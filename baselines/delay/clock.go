package delay

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// kind is what jobs of one demand share: the level to begin at, and a clock. All jobs of a demand
// see the same offers, so one clock per demand serves them: a job has waited clock - its mark.
type kind struct {
	finest cluster.Level
	gpus   int
	clock  sim.Time // microseconds, or declined opportunities in the count form
	at     sim.Time // when the clock was last set
	open   bool     // jobs wait and enough GPUs are free: what is offered is being declined
}

// tick brings the clocks to now.
func (p *Policy) tick(now sim.Time) {
	for i := range p.kinds {
		k := &p.kinds[i]
		switch {
		case p.cfg.count:
		case !p.cfg.offer:
			k.clock = now
		case k.open:
			k.clock += now - k.at
		}
		k.at = now
	}
}

// kindOf is the kind of a demand.
func (p *Policy) kindOf(v *sim.View, d *plan.Demand) *kind {
	i, ok := p.index[*d]
	if !ok {
		i = int32(len(p.kinds))
		p.index[*d] = i
		l, _ := v.Topology().Finest(cluster.LevelMachine, int(d.GPUs), d.PerGPU())
		k := kind{finest: l, gpus: int(d.GPUs), at: v.Now()}
		if !p.cfg.count && !p.cfg.offer {
			k.clock = v.Now()
		}
		p.kinds = append(p.kinds, k)
	}
	return &p.kinds[i]
}

// wait is how long the jobs of a kind must have waited before they take a level: +Inf never, -Inf
// always.
func (p *Policy) wait(k *kind, to cluster.Level) float64 {
	from := k.finest
	switch {
	case to <= from:
		return math.Inf(-1)
	case p.timers != nil:
		return p.asks(k, to)
	case from == cluster.LevelMachine && to == cluster.LevelRack:
		return p.cfg.machine
	case from == cluster.LevelMachine:
		return p.cfg.machine + p.cfg.rack
	}
	return p.cfg.rack
}

// mark is the clock reading from which a job's wait counts, moved back by what a job that once
// ran at a coarser level need not wait again. It is the weight of the job in the queue.
func (p *Policy) mark(v *sim.View, j sim.JobID, k *kind) float64 {
	m := float64(k.clock)
	if v.Run(j).Started() == sim.Never {
		return m
	}
	if had := max(v.Run(j).Level(), cluster.LevelMachine); had > k.finest {
		m -= p.wait(k, had)
	}
	return m
}

// bound is the largest mark with which a job of the demand takes what is free now.
func (p *Policy) bound(d *plan.Demand) float64 {
	if d.ShareMilli < 1000 {
		return math.Inf(1)
	}
	k := p.kindOf(p.v, d)
	l, ok := p.place.Available(p.v, d, cluster.LevelMachine)
	if !ok {
		return math.Inf(-1)
	}
	return float64(k.clock) - p.wait(k, l)
}

// allows is the coarsest level that a job with this mark takes.
func (p *Policy) allows(k *kind, mark float64) cluster.Level {
	waited := float64(k.clock) - mark
	for l := cluster.LevelCluster; l > k.finest; l-- {
		if waited >= p.wait(k, l) {
			return l
		}
	}
	return k.finest
}

// declined looks at the demands that still wait: it opens the clocks of demands that decline what
// is free, and notes when the first of them may take it.
func (p *Policy) declined(d *plan.Demand, least float64) {
	k := p.kindOf(p.v, d)
	l, ok := p.place.Available(p.v, d, cluster.LevelMachine)
	k.open = ok
	if !ok {
		return
	}
	if p.cfg.count {
		if p.freed {
			k.clock++
		}
		return
	}
	if d := least + p.wait(k, l) - float64(k.clock); d >= 1 && d < maxWait {
		p.next = min(p.next, p.v.Now()+sim.Time(d))
	}
}
