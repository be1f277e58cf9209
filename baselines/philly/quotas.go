package philly

import (
	"math"
	"slices"

	"tarry/sim"
)

// vc is a virtual cluster.
type vc struct {
	name   string
	weight float64
	stated bool
	quota  int64 // thousandths of a GPU
	used   int64 // of the jobs that run or are in a try, in full
	kinds  []int32
	has    []sim.JobID // jobs that run or are in a try, in the order in which they began to take GPUs
	tries  int         // jobs in a try, or backing off
	best   sim.JobID   // the first that may be tried now, of a phase of a decision
	sum    delays
	lost   int64 // preemptions
	left   int64 // of a plan: how far above its quota it is still
	at     int   // the next victim of a plan is before this one of has
}

// vcOf is the VC of a name; it is made at its first job, and then quotas that are not stated
// change.
func (p *Policy) vcOf(v *sim.View, name string) int32 {
	if i, ok := p.byName[name]; ok {
		return i
	}
	i := int32(len(p.vcs))
	p.byName[name] = i
	c := vc{name: name, weight: v.Tenants().Weight(name)}
	gpus, ok := v.Tenants().Quota(name)
	if c.stated = ok; ok {
		c.quota = 1000 * int64(gpus)
	}
	p.vcs = append(p.vcs, c)
	p.share(v)
	return i
}

// share gives the VCs without a stated quota what the others leave, by weight.
func (p *Policy) share(v *sim.View) {
	rest, sum := 1000*int64(v.Topology().GPUs()-v.Tenants().GPUs()), 0.0
	for i := range p.vcs {
		if c := &p.vcs[i]; !c.stated {
			sum += c.weight
		}
	}
	for i := range p.vcs {
		switch c := &p.vcs[i]; {
		case c.stated:
		case p.cfg.unlimited:
			c.quota = math.MaxInt64 / 4
		default:
			c.quota = int64(float64(float64(max(0, rest)) * c.weight / sum))
		}
	}
}

// above is how far a VC is above its quota, in thousandths of a GPU; at most 0 if it is not.
func (c *vc) above() int64 { return c.used - c.quota }

// add counts a job in what the VC uses.
func (c *vc) add(j sim.JobID, milli int64) {
	c.used += milli
	c.has = append(c.has, j)
}

// sub takes a job out.
func (c *vc) sub(j sim.JobID, milli int64) {
	c.used -= milli
	i := slices.Index(c.has, j)
	c.has = slices.Delete(c.has, i, i+1)
}

// before reports whether a VC uses a smaller part of its quota than another.
func (c *vc) before(d *vc) bool {
	return float64(float64(c.used)/float64(max(1, c.quota))) < float64(float64(d.used)/float64(max(1, d.quota)))
}

// rank finds the first job of a VC that may be tried now: within its quota, or not.
func (p *Policy) rank(i int32) {
	c := &p.vcs[i]
	c.best = sim.NoJob
	if !p.cfg.passing && c.tries > 0 {
		return
	}
	best := int32(-1)
	for _, n := range c.kinds {
		k := &p.kinds[n]
		for l := range k.lines {
			x := &k.lines[l]
			if x.empty() || p.cfg.passing && (x.shut || p.buf.within != (c.used+k.milli <= c.quota)) {
				continue
			}
			if j := x.jobs[x.head]; c.best == sim.NoJob || j < c.best {
				c.best, best = j, n
			}
		}
	}
	if c.best == sim.NoJob || p.cfg.passing {
		return
	}
	k := &p.kinds[best] // the first of all, or none
	if k.lines[p.jobs[c.best].level].shut || p.buf.within != (c.used+k.milli <= c.quota) {
		c.best = sim.NoJob
	}
}

// next is the VC that is served next, -1 if none can be.
func (p *Policy) next(within bool) int32 {
	if p.buf.within != within || !p.buf.ranked {
		p.buf.within, p.buf.ranked = within, true
		for i := range p.vcs {
			p.rank(int32(i))
		}
	}
	best := int32(-1)
	for i := range p.vcs {
		if c := &p.vcs[i]; c.best != sim.NoJob && (best < 0 || c.before(&p.vcs[best])) {
			best = int32(i)
		}
	}
	return best
}
