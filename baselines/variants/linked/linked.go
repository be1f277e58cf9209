// Package linked has Dally's timers and order follow the use of shared links. Where the speed model
// has no links, all is as in Dally.
package linked

import (
	"math"

	"tarry/baselines/contest"
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Rules are the settings. With both 0 it is Dally.
type Rules struct {
	// Timers is the exponent g: with links in use for the part u of their capacity, a timer is
	// (1-u)^-g times as long. Above 0 jobs wait longer where links are busy, below 0 shorter.
	Timers float64
	// Order is the weight of the order: of a job's key N, the mean part of its ideal speed so far,
	// Order x u x s is taken off, s being the part of its iterations alone that is transfer where it
	// is spread widely.
	Order float64
}

// Params describes the settings for the catalogue.
const Params = `link_timers  g: with links in use for the part u, timers are (1-u)^-g times as long; below 0 they are shorter where links are busy
link_order   G: jobs that transfer for the part s of an iteration go first where links are busy, by a key that is G u s less`

// Read reads them; what r has is the default.
func (r *Rules) Read(s *param.Set) {
	r.Timers = s.Float("link_timers", r.Timers, -4, 4)
	r.Order = s.Float("link_order", r.Order, 0, 100)
}

// most is the use above which timers grow no more.
const most = 0.9

// Policy is Dally under Rules. It is no contest that an agent may step through: timers are set
// where it decides.
type Policy struct {
	contest *contest.Policy
	timers  *timers
}

// New is the contest that a function makes with timers: timers below, under rules.
func New(below plan.TimerSource, r Rules, with func(plan.TimerSource) *contest.Policy) *Policy {
	t := &timers{below: below, gain: r.Timers, rack: 1, net: 1}
	return &Policy{with(t), t}
}

// Knows is the contest's.
func (p *Policy) Knows() know.Set { return p.contest.Knows() }

// Decide sets the timers by the links' use and decides as Dally does.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.timers.see(v)
	return p.contest.Decide(v, out)
}

// Clone gives an independent copy.
func (p *Policy) Clone() sim.Policy {
	t := p.timers.Copied(nil).(*timers)
	c := &Policy{new(contest.Policy), t}
	c.contest.CopyFrom(p.contest, t)
	return c
}

// timers are Dally's, longer or shorter by the use of links.
type timers struct {
	below     plan.TimerSource
	gain      float64
	rack, net float64 // factors of the present instant
}

// see takes the factors of an instant: T_rack, before which a job waits for one machine, by the
// machines' uplinks, T_net by all that lies between racks.
func (t *timers) see(v *sim.View) {
	l, machines := v.Links(), v.Topology().Machines()
	if t.gain == 0 || l.Count() == 0 {
		return
	}
	t.rack = fixmath.Pow(1-min(most, use(l, 0, machines)), -t.gain)
	t.net = fixmath.Pow(1-min(most, use(l, machines, l.Count())), -t.gain)
}

// use is the mean use of the links from lo to hi.
func use(l sim.Links, lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		sum += l.Use(int32(i))
	}
	return sum / float64(max(1, hi-lo))
}

// Timers scales the timers.
func (t *timers) Timers(demand int, now sim.Time) (rack, net, until sim.Time) {
	rack, net, until = t.below.Timers(demand, now)
	return scaled(rack, t.rack), scaled(net, t.net), until
}

func scaled(timer sim.Time, by float64) sim.Time {
	if timer == sim.Never || by == 1 {
		return timer
	}
	return sim.Time(math.Round(float64(timer) * by))
}

// Accepted reports a place to the timers below.
func (t *timers) Accepted(demand int, level cluster.Level, wait, now sim.Time) {
	t.below.Accepted(demand, level, wait, now)
}

// Copied gives an independent copy.
func (t *timers) Copied(dst plan.TimerSource) plan.TimerSource {
	to, ok := dst.(*timers)
	if !ok {
		to = &timers{}
	}
	below := to.below
	*to = *t
	to.below = contest.CopyTimers(below, t.below)
	return to
}

// Ordered is an order by keys in units of a grain, less what links in use would take from a job.
func (r *Rules) Ordered(o contest.Order, grain float64) contest.Order {
	key, weight := o.Key, r.Order
	if weight == 0 {
		return o
	}
	o.Reads |= know.Speed
	o.Key = func(v *sim.View, j sim.JobID) float64 {
		l := v.Links()
		if l.Count() == 0 {
			return key(v, j)
		}
		return key(v, j) - math.Round(weight*use(l, 0, l.Count())*transfers(v, j)*grain)
	}
	return o
}

// transfers is the part of an iteration alone for which a job keeps a link busy where it has a GPU of
// each machine, from the first on, and where there are more GPUs, as many of each.
func transfers(v *sim.View, j sim.JobID) float64 {
	t, n := v.Topology(), v.Job(j).GPUs()
	if n < 2 {
		return 0
	}
	per := (n + t.Machines() - 1) / t.Machines()
	gpus := make([]cluster.GPU, 0, n)
	for m := 0; m < t.Machines() && len(gpus) < n; m++ {
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi && int(g-lo) < per && len(gpus) < n; g++ {
			gpus = append(gpus, g)
		}
	}
	p, ok := v.Links().Period(j, sim.Placement{GPUs: gpus})
	if !ok || !(p.SoloS() > 0) {
		return 0
	}
	return p.TransferS / p.SoloS()
}
