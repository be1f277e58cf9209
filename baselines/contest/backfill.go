package contest

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Backfill reports whether jobs may overtake the first that lacks GPUs only as EASY lets them:
// Lifka, "The ANL/IBM SP Scheduling System", JSSPP 1995. That job gets a reservation at the shadow
// time, when enough GPUs will be free if running jobs end as expected. A later one starts if it
// fits and either ends by then or takes only GPUs that the reservation leaves over. Without it any
// job that fits starts, and wide jobs may wait for as long as narrow ones come.
//
// A job that has the GPUs and waits for a better place reserves nothing. A job that outlives what
// is expected of it counts as twice as long, again and again, as in baselines/queueing.
type Backfill uint8

// What reservations go by. A job of which nothing is known is expected to run for ever.
const (
	// NoBackfill makes no reservation.
	NoBackfill Backfill = iota
	// ByRequest takes the time that a user asked for, and the predicted median where there is none.
	ByRequest
	// ByPrediction takes the median that the run's predictor gives, and the user's request without
	// one.
	ByPrediction
)

// Backfills are how users write them: Backfills()[b] is Backfill b.
func Backfills() []string { return []string{"none", "request", "predicted"} }

// ReadBackfill reads the setting backfill; def is its default, as users write it, "" = none.
func ReadBackfill(s *param.Set, def string) Backfill {
	names := Backfills()
	if def != "" {
		names = append([]string{def}, slices.DeleteFunc(names, func(n string) bool { return n == def })...)
	}
	return Backfill(slices.Index(Backfills(), s.Enum("backfill", names...)))
}

// reservation is the reservation of the first in order that lacks GPUs.
type reservation struct {
	guess  []sim.Time // per job, how long it is expected to run from when it gets its GPUs
	shadow sim.Time
	extra  int // GPUs that are over then
	typ    string
	ends   []ending // scratch
}

// ending is a job that holds GPUs, when it is expected to end, and how many it gives back.
type ending struct {
	at   sim.Time
	Job  sim.JobID
	gpus int
}

// unknownRun is how long a job is expected to run of which nothing is known.
const unknownRun = sim.Never / 8

// guessAt notes what is expected of a job that Begins to contest.
func (p *Policy) guessAt(v *sim.View, j sim.JobID) {
	asked, predicted := v.Job(j).Request(), sim.Time(0)
	if _, ok := v.Job(j).Law(); ok { // without one an estimate may be the truth
		predicted = unknownRun
		if m := v.Job(j).Estimate() / v.Job(j).Width(); m < float64(unknownRun) {
			predicted = max(1, sim.Time(math.Ceil(m-1e-3)))
		}
	}
	if p.cfg.Backfill == ByPrediction {
		asked, predicted = predicted, asked
	}
	g := cmp.Or(asked, predicted, unknownRun)
	if ran := v.Run(j).Ran(); ran > 0 { // not NaN
		g = max(1, g-sim.Seconds(ran))
	}
	p.behind.guess[j] = g
}

// contestBehind is Contest with a reservation.
func (p *Policy) contestBehind(v *sim.View) {
	for {
		in, best, at := p.first(v)
		if best == nil {
			return
		}
		if c, head := p.lacking(v); head != nil && p.Ahead(c, head, in, best) {
			p.reserve(v, c)
			break
		}
		p.take(v, in, *best, at)
	}
	for {
		in, best, at := p.firstBehind(v)
		if best == nil {
			return
		}
		if p.sharesType(in) && v.Now()+p.behind.guess[best.Job] > p.behind.shadow {
			p.behind.extra -= in.GPUs
		}
		p.take(v, in, *best, at)
	}
}

// lacking is the first in order of those for which there are not enough GPUs, wherever they are.
func (p *Policy) lacking(v *sim.View) (in *Class, head *Entry) {
	for _, c := range p.classes {
		if c.Live == 0 || p.freeOf(v, c) >= c.GPUs {
			continue
		}
		if e := c.Best(); e != nil && (head == nil || p.Ahead(c, e, in, head)) {
			in, head = c, e
		}
	}
	return in, head
}

func (p *Policy) freeOf(v *sim.View, c *Class) int {
	if f := p.FreeFor(v, c); f != nil {
		return f.Total()
	}
	return 0
}

// reserve finds when a class can have its GPUs, and how many are over then.
func (p *Policy) reserve(v *sim.View, c *Class) {
	h := &p.behind
	h.ends, h.typ, h.shadow = h.ends[:0], c.Per.Type, v.Now()
	for _, j := range v.Running() {
		if p.Evictable(v, j) {
			h.ends = append(h.ends, ending{p.ends(v, j, v.Run(j).Since()), j, p.Usable(v, j, c.Per.Type)})
		}
	}
	for i := range p.Grants {
		g := &p.Grants[i]
		n := 0
		for _, x := range p.GPUs[g.Lo:g.Hi] {
			if OfType(v, x, c.Per.Type) {
				n++
			}
		}
		h.ends = append(h.ends, ending{p.ends(v, g.Job, v.Now()), g.Job, n})
	}
	slices.SortFunc(h.ends, func(a, b ending) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Job, b.Job)) })
	free := p.freeOf(v, c)
	for _, x := range h.ends {
		if free >= c.GPUs && x.at > h.shadow { // what ends together is free together
			break
		}
		h.shadow = x.at
		free += x.gpus
	}
	if h.extra = free - c.GPUs; h.extra < 0 { // never, by what runs
		h.shadow, h.extra = sim.Never/2, 0
	}
}

// ends is when a job that got its GPUs at some time is expected to end.
func (p *Policy) ends(v *sim.View, j sim.JobID, since sim.Time) sim.Time {
	d := p.behind.guess[j]
	for since+d <= v.Now() && d < unknownRun {
		d *= 2
	}
	return max(since+d, v.Now()+1)
}

// sharesType reports whether a class may take GPUs that are reserved.
func (p *Policy) sharesType(c *Class) bool {
	return c.Per.Type == "" || p.behind.typ == "" || c.Per.Type == p.behind.typ
}

// firstBehind is first among the jobs that do not delay the reservation.
func (p *Policy) firstBehind(v *sim.View) (in *Class, best *Entry, at cluster.Level) {
	total := v.Free().Total()
	for _, c := range p.classes {
		if c.Live == 0 || c.Closed || c.GPUs > total {
			continue
		}
		var e *Entry
		var l cluster.Level
		if !p.sharesType(c) || c.GPUs <= p.behind.extra {
			e, l = p.candidate(v, c)
		} else {
			e, l = p.candidateBy(v, c)
		}
		if e != nil && (best == nil || p.Ahead(c, e, in, best)) {
			in, best, at = c, e, l
		}
	}
	return in, best, at
}

// candidateBy is candidate among the jobs that are expected to end by the shadow time.
func (p *Policy) candidateBy(v *sim.View, c *Class) (best *Entry, at cluster.Level) {
	f := p.FreeFor(v, c)
	if f == nil || c.GPUs > f.Total() {
		return nil, 0
	}
	for i := range c.list[:c.n] {
		e := &c.list[i]
		if e.Job == sim.NoJob || v.Now()+p.behind.guess[e.Job] > p.behind.shadow || best != nil && !e.Before(best) {
			continue
		}
		if l, ok := p.accepts(v, f, c, e); ok {
			best, at = e, l
		}
	}
	return best, at
}

// accepts is the level of the place that one job takes now, and whether it takes any.
func (p *Policy) accepts(v *sim.View, f *cluster.Free, c *Class, e *Entry) (cluster.Level, bool) {
	switch {
	case c.GPUs <= f.Largest(cluster.LevelSlot):
		return cluster.LevelSlot, true
	case c.GPUs <= f.Largest(cluster.LevelMachine):
		return cluster.LevelMachine, true
	}
	rack, net, _ := p.Source(c).Timers(c.GPUs, v.Now())
	if c.GPUs <= f.Largest(cluster.LevelRack) && (c.Fits > cluster.LevelMachine || p.open(v, e, rack)) {
		return cluster.LevelRack, true
	}
	return cluster.LevelCluster, c.Fits > cluster.LevelRack || p.open(v, e, net)
}
