package dally

import (
	"math"

	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/sim"
)

// NewOrdered is Dally with an order of somebody else's; Config.Order does not matter, and SettleS
// must be 0. timers is as in NewPolicy.
func NewOrdered(c Config, timers TimerSource, by ranked.Order) *Policy {
	p := NewPolicy(c, timers)
	p.ranker = by
	return p
}

// NewByRule is Dally with the score, the law and the globals of a rule in place of what the Config
// says of these. The rule is copied.
func NewByRule(c Config, r *score.Rule) *Policy {
	g := r.Globals
	c.Evict, c.Margin, c.MinRun = !math.IsInf(g.Margin, 1), g.Margin, g.MinRun
	if !g.Auto() {
		c.Auto, c.RackLeases, c.NetLeases = false, g.Rack, g.Net
	}
	return NewOrdered(c, nil, ranked.New(r.Func.Clone(), ranked.NewReader(r, sim.Seconds(c.LeaseS))))
}

// OrderedBy is the order that was given to NewOrdered; nil without one.
func (p *Policy) OrderedBy() ranked.Order { return p.ranker }

// Contestants appends the jobs that contest, in no particular (but reproducible) order.
func (p *Policy) Contestants(dst []sim.JobID) []sim.JobID {
	for _, c := range p.classes {
		if c.live == 0 {
			continue
		}
		for i := range c.list[:c.n] {
			if j := c.list[i].job; j != sim.NoJob {
				dst = append(dst, j)
			}
		}
	}
	return dst
}

// Globals are what a rule has beside scores, of the policy's own: an endless margin where it evicts
// nobody.
func (p *Policy) Globals() score.Globals {
	g := score.Globals{Margin: p.cfg.Margin, MinRun: p.cfg.MinRun, Rack: p.cfg.RackLeases, Net: p.cfg.NetLeases}
	if !p.cfg.Evict {
		g.Margin = math.Inf(1)
	}
	if p.cfg.Auto {
		g.Rack, g.Net = math.NaN(), math.NaN()
	}
	return g
}

// Play holds the contest and the evictions of an instant, between Begin and Finish.
func (p *Policy) Play(v *sim.View) {
	p.Contest(v)
	if p.cfg.Elastic.on() {
		p.adjust(v)
	}
	if p.cfg.Evict {
		p.evictLater(v)
	}
}

// SetEvictions sets Config.Margin and Config.MinRun, in leases, from now on; an endless margin
// switches Config.Evict off, any other on.
func (p *Policy) SetEvictions(margin, minRun float64) {
	p.cfg.Evict, p.cfg.Margin, p.cfg.MinRun = !math.IsInf(margin, 1), margin, minRun
	p.evicts.minRun = leases(minRun, p.evicts.leaseS)
	if !p.cfg.Evict {
		p.running.forget()
	}
}

// Rekey asks for all keys again that can matter at this instant.
func (p *Policy) Rekey(v *sim.View) {
	p.outdate()
	p.rekey(v)
}

// outdate notes that all keys may be others.
func (p *Policy) outdate() {
	for _, c := range p.classes {
		c.stale = true
	}
	p.running.stale = true
}

// beginRanks lets the ranker take in an instant, before ended leases are put up.
func (p *Policy) beginRanks(v *sim.View) {
	asked := 0
	for _, c := range p.classes {
		asked += c.gpus * c.live
	}
	if p.ranker.Begin(v, asked) {
		p.outdate()
	}
}

// rekey renews the keys that are due, in the classes that something free could serve; with
// evictions any job may be the blocked one, and all count.
func (p *Policy) rekey(v *sim.View) {
	total := v.Free().Total()
	for _, c := range p.classes {
		if c.live > 0 && c.due() <= v.Now() && (p.cfg.Evict || p.cfg.Backfill != NoBackfill || c.gpus <= total) {
			p.rekeyClass(v, c)
		}
	}
}

// rekeyClass renews the keys that are due in a class.
func (p *Policy) rekeyClass(v *sim.View, c *class) {
	if !c.stale {
		p.rekeyBelow(v, c, 1)
		return
	}
	for i := range c.list[:c.n] {
		if e := &c.list[i]; e.job != sim.NoJob {
			p.rekeyEntry(v, e)
		}
	}
	c.stale = false
	c.build()
	c.buildSoon()
}

// rekeyBelow renews the keys that are due below a node of the trees, and the node.
func (p *Policy) rekeyBelow(v *sim.View, c *class, node int) {
	if size := len(c.list); node >= size {
		e := &c.list[node-size]
		p.rekeyEntry(v, e)
		c.soon[node] = e.until
		return
	}
	for i := 2 * node; i <= 2*node+1; i++ {
		if c.soon[i] <= v.Now() {
			p.rekeyBelow(v, c, i)
		}
	}
	c.soon[node] = min(c.soon[2*node], c.soon[2*node+1])
	c.tree[node] = c.better(c.tree[2*node], c.tree[2*node+1])
}

// rekeyEntry asks for a key again.
func (p *Policy) rekeyEntry(v *sim.View, e *entry) {
	e.key, e.until = p.ranker.Rank(v, e.job)
	e.until = max(e.until, v.Now()+1)
}
