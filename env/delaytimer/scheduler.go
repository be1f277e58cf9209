package delaytimer

import (
	"tarry/baselines/contest"
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler is the base policy with an agent for its timers.
type scheduler struct {
	policy   plan.Timed
	base     plan.TimerSource // who sets the timers of a class before the agent does
	demo     plan.TimerSource // whose timers are demonstrated; nil = no demonstration
	cfg      *Config
	lease    sim.Time
	every    sim.Time
	discrete bool
	pairs    [][2]float64
	hidden   []int // places of the observation that are held at 0
	width    int   // features of a class
	spreads  spreads

	machine int      // GPUs of the largest machine; 0 before the first instant
	epoch   sim.Time // the next one
	last    sim.Time // the last one
	due     bool     // questions of this instant are open
	asked   int      // discrete: the class in question
	classes [Classes]classState

	waiting []plan.Wanted // scratch
	sums    [Classes]sums // of what runs; taken once per epoch
}

// classState is what is known of a class.
type classState struct {
	seen      bool
	own       bool // the agent has set the timers
	rack, net sim.Time
	demand    int     // of the last arrival
	arrived   float64 // GPUs, since the last epoch
	waited    float64 // leases before the places taken since then, and how many
	accepted  int
	toll      toll // with SeeRegime
}

func newScheduler(c *Config) *scheduler {
	s := &scheduler{base: contest.CopyTimers(nil, c.base.OwnTimers(c.Topology)), cfg: c, lease: c.Lease(),
		every: c.Every, discrete: c.Discrete, pairs: Pairs(),
		hidden: hide.Places(c.segments(), c.groups(), c.Hide), width: c.width()}
	s.policy = c.base.Steered(nil, s)
	return s
}

// Knows is Dally's declaration: what is observed needs nothing beside, and is not clairvoyant.
func (s *scheduler) Knows() know.Set {
	k := s.cfg.Declares(s.policy.Knows())
	if s.cfg.SeeRegime {
		k |= know.Speed
	}
	return k
}

// Timers gives the agent's timers, or the base policy's.
func (s *scheduler) Timers(demand int, now sim.Time) (rack, net, until sim.Time) {
	if c := &s.classes[class(demand, s.machine)]; c.own {
		return c.rack, c.net, sim.Never
	}
	return s.base.Timers(demand, now)
}

// Accepted passes the news on to the base policy and keeps it for the observation.
func (s *scheduler) Accepted(demand int, level cluster.Level, wait, now sim.Time) {
	s.base.Accepted(demand, level, wait, now)
	if s.demo != nil {
		s.demo.Accepted(demand, level, wait, now)
	}
	c := &s.classes[class(demand, s.machine)]
	c.waited += float64(wait) / float64(s.lease)
	c.accepted++
}

// Begin counts arrivals and sees whether an epoch is due.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.machine == 0 {
		s.machine = v.Topology().Capacity(cluster.LevelMachine)
	}
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			g := v.Job(ev.Job).GPUs()
			c := &s.classes[class(g, s.machine)]
			c.seen, c.demand = true, g
			c.arrived += float64(g)
			if s.cfg.SeeRegime {
				s.price(v, ev.Job)
			}
		}
	}
	out = s.policy.Begin(v, out)
	s.due = v.Now() >= s.epoch
	if s.due {
		s.epoch = v.Now() - v.Now()%s.every + s.every
		s.asked = -1
		s.advance()
		if s.due {
			s.measure(v)
		}
	}
	return out
}

// advance goes to the next question of the epoch.
func (s *scheduler) advance() {
	if !s.discrete {
		s.due = s.asked < 0
		s.asked++
		return
	}
	for s.asked++; s.asked < Classes && !s.classes[s.asked].seen; s.asked++ {
	}
	s.due = s.asked < Classes
}

// Ask reports whether a question of the epoch is open.
func (s *scheduler) Ask(*sim.View) bool { return s.due }

// Answer sets timers; nil leaves them as they are.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	switch {
	case action == nil:
	case s.discrete:
		p := s.pairs[int(action[0])]
		s.set(s.asked, whole(p[0], s.lease), whole(p[1], s.lease))
	default:
		for i := range Classes {
			s.set(i, s.timer(action[2*i]), s.timer(action[2*i+1]))
		}
	}
	if s.advance(); s.due {
		return
	}
	s.last = v.Now()
	for i := range s.classes {
		c := &s.classes[i]
		c.arrived, c.waited, c.accepted = 0, 0, 0
	}
}

// timer is the timer of an action.
func (s *scheduler) timer(a float64) sim.Time {
	if s.cfg.SeeRegime && a >= 1 {
		return sim.Never
	}
	return decode(a, s.lease)
}

func (s *scheduler) set(i int, rack, net sim.Time) {
	c := &s.classes[i]
	c.own, c.rack, c.net = true, rack, max(rack, net)
}

// Finish lets the base policy decide.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	s.policy.Contest(v)
	return s.policy.Finish(v, out)
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := new(scheduler)
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one, in its own memory.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	s.base, s.waiting, s.spreads = contest.CopyTimers(old.base, o.base), old.waiting, old.spreads
	s.demo = contest.CopyTimers(old.demo, o.demo)
	s.policy = o.policy.Steered(old.policy, s)
}
