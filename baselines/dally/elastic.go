package dally

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// rules are ours for jobs that can run on several numbers of GPUs (sim.Job.MinGPUs, MaxGPUs);
// Dally's paper has none. Each can be had alone. The zero value never changes a size, and rigid
// jobs are scheduled as without it.
//
//   - Shrink: a job that would wait, for GPUs or for its timers, starts on fewer GPUs than it asks
//     for, if one unit of the finest level (a machine at least) that could hold its minimum has as
//     many: all that there are, or the minimum.
//   - Yield: the first that would wait starts as small as Shrink permits (as it asks without
//     Shrink) in the unit where running elastic jobs have to give up the fewest GPUs for it; they
//     shrink, in the order of Yield, as far as their minimum.
//   - Spread: both come before a start that is spread more than the job's demand needs, too,
//     although its timers permit it.
//   - Grow: free GPUs of the machines where an elastic job runs go to it when no contestant took
//     them, or rather than to a start spread more than it needs. New grants grow first, then
//     running jobs in the order of the contest.
//
// At the end of a lease every job contests for what it asks for: a smaller one returns to that
// where its machine or another has the GPUs, a larger one keeps what nobody else takes. A job that
// got or changed its GPUs less than Rest ago neither yields nor grows. Resizes cost what the run
// charges for them.
type rules struct {
	Shrink shrink
	Yield  yield
	Spread bool
	Grow   grow
	// Max lets jobs grow to the most that they can use; else to what they ask for.
	Max bool
	// Over lets them grow into GPUs of other machines, too, wherever that makes them faster by a
	// tenth: it reads the predicted speed.
	Over bool
	// Rest is in leases.
	Rest float64
}

// shrink says on how many GPUs a job starts that would wait.
type shrink uint8

// yield says which running job gives the next GPU to a job that would wait.
type yield uint8

// grow says when free GPUs go to running jobs.
type grow uint8

// The choices.
const (
	noShrink shrink = iota
	shrinkMost
	shrinkLeast

	noYield      yield = 0
	yieldGrown   yield = 1 // the largest first, as far as what it asks for
	yieldLargest yield = 2
	yieldLoss    yield = 3 // the one whose speed falls least, by the speed model

	noGrow       grow = 0
	growWhenIdle grow = 1
	growSpread   grow = 2 // rather than to a spread start, and when nobody took them
)

func shrinks() []string { return []string{"never", "most", "least"} }
func yields() []string  { return []string{"never", "grown", "largest", "loss"} }
func grows() []string   { return []string{"never", "idle", "before-spread"} }

// on reports whether any rule can change a size.
func (e *rules) on() bool { return e.Shrink != noShrink || e.Yield != noYield || e.Grow != noGrow }

// elasticParams describes the settings of Elastic for the catalogue.
const elasticParams = `shrink    elastic jobs that would wait start smaller on near GPUs: most: on all there are; least: on their minimum
yield     running elastic jobs shrink for one that would wait: grown: the largest first, to what they ask for; largest: to their minimum;
          loss: the one that loses least speed first
before    wait | spread: what shrink and yield come before: waiting alone, or also a start that is spread
grow      idle: free GPUs near a running elastic job go to it when nobody took them; before-spread: also rather than to a spread
          start
grow_to   asked | max: how far jobs grow
grow_over machine | any: also into GPUs of other machines, where the predicted speed rises by a tenth
rest      time between two resizes of a job, leases`

// read reads the settings.
func (e *rules) read(s *param.Set) {
	e.Shrink = shrink(slices.Index(shrinks(), s.Enum("shrink", shrinks()...)))
	e.Yield = yield(slices.Index(yields(), s.Enum("yield", yields()...)))
	e.Spread = s.Enum("before", "wait", "spread") == "spread"
	e.Grow = grow(slices.Index(grows(), s.Enum("grow", grows()...)))
	e.Max = s.Enum("grow_to", "asked", "max") == "max"
	e.Over = s.Enum("grow_over", "machine", "any") == "any"
	e.Rest = s.Float("rest", 0.25, 0, 1e4)
}

// elastic reports whether the rules may change the number of GPUs of a job.
func (p *Policy) elastic(v *sim.View, j sim.JobID) bool {
	if !p.cfg.Elastic.on() {
		return false
	}
	lo, hi := v.Job(j).Range()
	return lo < hi
}

// least is the fewest GPUs on which a job may start.
func (p *Policy) least(v *sim.View, j sim.JobID) int {
	g := v.Job(j).GPUs()
	if lo, _ := v.Job(j).Range(); p.cfg.Elastic.Shrink != noShrink {
		return min(lo, g)
	}
	return g
}

// smaller is the number of GPUs on which the contestants of a class start that find n near each
// other; 0 = they do not.
func (p *Policy) smaller(c *class, n int) int {
	switch {
	case n < c.least || c.least == c.gpus:
		return 0
	case p.cfg.Elastic.Shrink == shrinkLeast:
		return c.least
	}
	n = min(n, c.gpus)
	return max(c.least, n-n%c.grain)
}

// orSmaller is the candidate of a class whose candidate for a place of full size is e, at level l;
// nil = nobody has one.
func (p *Policy) orSmaller(f *cluster.Free, c *class, e *entry, l cluster.Level) (*entry, cluster.Level) {
	n := p.smaller(c, f.Largest(c.near))
	first := c.best()
	if n == 0 || e == first && (l <= c.home || !p.cfg.Elastic.Spread) {
		return e, l
	}
	for l = cluster.LevelSlot; f.Largest(l) < n; l++ {
	}
	return first, l
}

// change is what a grant is besides a start.
type change uint8

const (
	begins change = iota
	renews        // the job's own GPUs at the end of its lease, or some of them, or more
	moves         // others at the end of its lease, in another number; all are free now
	gives         // fewer of its own in the middle of a lease
	grown         // more, in the middle of a lease
)

// planned is the grant of a job at this instant, nil without one.
func (p *Policy) planned(j sim.JobID) *grant {
	for i := range p.grants {
		if p.grants[i].job == j {
			return &p.grants[i]
		}
	}
	return nil
}

// place chooses GPUs for a contestant at a level, and appends them.
func (p *Policy) place(f *cluster.Free, c *class, level cluster.Level) {
	n := c.gpus
	if n > f.Largest(level) {
		n = p.smaller(c, f.Largest(c.near))
	}
	p.buf, _ = f.At(p.buf, n, level, p.cfg.Rule)
}

// keep decides whether a holder whose lease has ended, and who finds the place in p.buf from gr.lo
// on, keeps GPUs of its own.
func (p *Policy) keep(v *sim.View, c *class, gr *grant) {
	held := v.Run(gr.job).Held()
	all := allFree(v.Free(), held)
	switch {
	case all && len(held) == len(p.buf)-gr.lo:
		if p.carries(v, c, held) && !v.Topology().Tighter(p.buf[gr.lo:], held) {
			p.stay(gr, append(p.buf, held...), len(p.buf))
		}
	case p.elastic(v, gr.job):
		p.keepSome(v, c, gr, all)
	}
}

// keepSome is keep for an elastic job that has not as many GPUs as it finds, or of whose GPUs
// others took some.
func (p *Policy) keepSome(v *sim.View, c *class, gr *grant, all bool) {
	n, held := len(p.buf), v.Run(gr.job).Held()
	want := n - gr.lo
	for _, g := range held {
		if v.Free().Has(g) {
			p.buf = append(p.buf, g)
		}
	}
	p.trim(v, c, n)
	switch own := len(p.buf) - n; {
	case own == 0:
	case own > c.gpus: // it contests for what it asks for
		if p.buf = p.most(v, p.buf, n, c.gpus); !v.Topology().Tighter(p.buf[gr.lo:n], p.buf[n:]) {
			p.stay(gr, p.buf, n)
			return
		}
	case own >= want:
		p.buf = p.buf[:n+own/v.Job(gr.job).WorkerGPUs()*v.Job(gr.job).WorkerGPUs()]
		p.stay(gr, p.buf, n)
		return
	case all:
		if p.near(v, gr.job, n, want-own); c.asks() {
			p.trim(v, c, n)
			p.buf = p.buf[:n+(len(p.buf)-n)/v.Job(gr.job).WorkerGPUs()*v.Job(gr.job).WorkerGPUs()]
		}
		if len(p.buf)-n == want || want < c.gpus && len(p.buf)-n >= own {
			p.stay(gr, p.buf, n)
			return
		}
	}
	p.buf = p.buf[:n]
	if want == len(held) {
		return
	}
	gr.kind = moves
	for _, g := range p.buf[gr.lo:] {
		if o := v.Owner(g); o != sim.NoJob && o != gr.job { // not free at once
			gr.kind = begins
			if all && p.carries(v, c, held) {
				p.stay(gr, append(p.buf, held...), n)
			}
			return
		}
	}
}

// stay has a grant renew the GPUs buf[n:].
func (p *Policy) stay(gr *grant, buf []cluster.GPU, n int) {
	gr.kind = renews
	p.buf = append(buf[:gr.lo], buf[n:]...)
}

// most cuts the GPUs from buf[n] on to g of them that lie close together: one by one the last of
// the machine, and in it of the slot, with the fewest of them goes.
func (p *Policy) most(v *sim.View, buf []cluster.GPU, n, g int) []cluster.GPU {
	for len(buf)-n > g {
		i := loosest(v.Topology(), buf[n:], nil)
		buf = slices.Delete(buf, n+i, n+i+1)
	}
	return buf
}

// loosest is the index of the GPU that is given up first: the last of the machine, and in it of the
// slot, with the fewest. It is one of those that may go; nil = any.
func loosest(t *cluster.Topology, gpus []cluster.GPU, may func(g cluster.GPU) bool) int {
	best, fewest := -1, [2]int{}
	for i := 0; i < len(gpus); {
		m, at := t.Machine(gpus[i]), i
		for i < len(gpus) && t.Machine(gpus[i]) == m {
			i++
		}
		inMachine := i - at
		for k := at; k < i; {
			s, from, last := t.Slot(gpus[k]), k, -1
			for ; k < i && t.Slot(gpus[k]) == s; k++ {
				if may == nil || may(gpus[k]) {
					last = k
				}
			}
			if n := [2]int{inMachine, k - from}; last >= 0 &&
				(best < 0 || n[0] < fewest[0] || n[0] == fewest[0] && n[1] <= fewest[1]) {
				best, fewest = last, n
			}
		}
	}
	return best
}

// adjust ends the contest of elastic jobs: yields for those that still wait, what grown holders
// keep, and growth.
func (p *Policy) adjust(v *sim.View) {
	if p.cfg.Elastic.Yield != noYield {
		p.yieldAll(v)
	}
	for i := range p.grants {
		if gr := &p.grants[i]; gr.kind == renews && len(v.Run(gr.job).Held()) > gr.hi-gr.lo {
			p.keepMore(v, gr)
		}
	}
	if p.cfg.Elastic.Grow != noGrow {
		p.growIdle(v)
	}
}

// releases reports whether GPUs of the grant's job come free at once, others than by its end or
// preemption.
func (gr *grant) releases(v *sim.View) bool {
	return gr.kind == gives || gr.kind == moves || gr.kind == renews && gr.hi-gr.lo < len(v.Run(gr.job).Held())
}

// release appends the resizes that free GPUs, before all that takes them.
func (p *Policy) release(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.cfg.Elastic.on() {
		return out
	}
	for i := range p.grants {
		if gr := &p.grants[i]; gr.releases(v) {
			out = append(out, p.resize(v, gr))
		}
	}
	return out
}

// resize is the decision for a grant to a running job that keeps running.
func (p *Policy) resize(v *sim.View, gr *grant) sim.Decision {
	gpus := p.buf[gr.lo:gr.hi]
	d := sim.Decision{Kind: sim.Resize, Job: gr.job, GPUs: gpus}
	if slices.Equal(gpus, v.Run(gr.job).Held()) {
		d = sim.Decision{Kind: sim.Renew, Job: gr.job}
	}
	if gr.kind == renews || gr.kind == moves {
		d.Lease = p.leaseFor(v, gr.job, gpus)
	}
	return d
}

// freed reports whether a job gives the GPUs that it does not keep at once, without a checkpoint.
func (p *Policy) freed(v *sim.View, j sim.JobID) bool {
	if !p.cfg.Elastic.on() {
		return false
	}
	gr := p.planned(j)
	return gr != nil && gr.releases(v)
}

// keepMore gives a holder back those of its GPUs that nobody took.
func (p *Policy) keepMore(v *sim.View, gr *grant) {
	lo := len(p.buf)
	p.buf = append(p.buf, p.buf[gr.lo:gr.hi]...)
	had := len(p.buf)
	for _, g := range v.Run(gr.job).Held() {
		if v.Free().Has(g) {
			p.buf = append(p.buf, g)
		}
	}
	p.trim(v, p.classes[p.of[gr.job]], had)
	step := v.Job(gr.job).WorkerGPUs()
	p.buf = p.buf[:had+(len(p.buf)-had)/step*step]
	v.Free().TakeAll(p.buf[had:])
	slices.Sort(p.buf[lo:])
	gr.lo, gr.hi = lo, len(p.buf)
}
