package contest

import (
	"tarry/sim"
	"tarry/sim/know"
)

// Ranker is an order whose keys may change while a job waits.
type Ranker interface {
	// Knows is what the keys read, as in sim.Policy.
	Knows() know.Set
	// Start is called once, at the first instant of a run, before all else.
	Start(v *sim.View)
	// Begin takes in an instant, before a job is ranked. asked is how many GPUs the jobs without
	// GPUs ask for. It reports whether all keys may be others now.
	Begin(v *sim.View, asked int) bool
	// Enter reports that a job begins to contest: it arrived, lost its GPUs, or its lease is up.
	Enter(v *sim.View, j sim.JobID)
	// Rank is a job's key now, smaller first, and the first instant at which it may be another
	// although nothing happens to the job; sim.Never = it stays.
	Rank(v *sim.View, j sim.JobID) (key float64, until sim.Time)
	// Patience is what Config.MinRun is multiplied with, from Begin to the next.
	Patience() float64
	// Copied gives an independent copy, in the memory of dst where that is of its kind; dst may be
	// nil.
	Copied(dst Ranker) Ranker
}

// OrderedBy is the order that was given to NewRanked; nil without one.
func (p *Policy) OrderedBy() Ranker { return p.ranker }

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
		asked += c.GPUs * c.Live
	}
	if p.ranker.Begin(v, asked) {
		p.outdate()
	}
	p.setMinRun()
}

// rekey renews the keys that are due, in the classes that something free could serve; with
// evictions any job may be the blocked one, and all count.
func (p *Policy) rekey(v *sim.View) {
	total := v.Free().Total()
	for _, c := range p.classes {
		if c.Live > 0 && c.due() <= v.Now() && (p.cfg.Evict || p.cfg.Backfill != NoBackfill || c.GPUs <= total) {
			p.rekeyClass(v, c)
		}
	}
}

// rekeyClass renews the keys that are due in a class.
func (p *Policy) rekeyClass(v *sim.View, c *Class) {
	if !c.stale {
		p.rekeyBelow(v, c, 1)
		return
	}
	for i := range c.list[:c.n] {
		if e := &c.list[i]; e.Job != sim.NoJob {
			p.rekeyEntry(v, e)
		}
	}
	c.stale = false
	c.build()
	c.buildSoon()
}

// rekeyBelow renews the keys that are due below a node of the trees, and the node.
func (p *Policy) rekeyBelow(v *sim.View, c *Class, node int) {
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
func (p *Policy) rekeyEntry(v *sim.View, e *Entry) {
	e.Key, e.until = p.ranker.Rank(v, e.Job)
	if e.until = max(e.until, v.Now()+1); v.Run(e.Job).State() == sim.Running {
		e.until = v.Now() + 1 // its lease has ended: it will not run when it is looked at again
	}
}
