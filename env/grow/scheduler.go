package grow

import (
	"slices"

	"tarry/env/schedenv"
	"tarry/env/schedenv/shares"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler shares the GPUs by counts that an agent gives out one by one.
type scheduler struct {
	shares.List
	cfg  *Config
	rule shares.Rule // in the agent's place
	demo *follower
	wake plan.Alarm
}

// wakeKey names the timer of regular epochs.
const wakeKey = 3

func newScheduler(c *Config) *scheduler {
	r, _ := rules().Named(c.Rule) // own has checked it
	return &scheduler{List: shares.New(c.Jobs, c.place), cfg: c, rule: r, wake: plan.Alarm{Key: wakeKey}}
}

// Knows is what jobs have left by the runs' estimates, and their speeds.
func (s *scheduler) Knows() know.Set {
	k := s.cfg.reads()
	if s.demo != nil {
		k |= s.demo.knows
	}
	return k
}

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.demo != nil {
		s.demo.see(v)
	}
	s.List.Begin(v, s.wake.Rung(v.Now()))
	return out
}

// legal reports whether a job of the list may have more.
func (s *scheduler) legal(i int) bool {
	n := s.Jobs[i].Next()
	return n > 0 && n <= s.Room
}

// given reports whether a job of the list has GPUs.
func (s *scheduler) given() bool {
	return slices.ContainsFunc(s.Jobs, func(x shares.Share) bool { return x.Count > 0 })
}

// Ask continues an epoch; it ends by itself when no job may have more.
func (s *scheduler) Ask(*sim.View) bool {
	if s.Open && !slices.ContainsFunc(s.Jobs, func(x shares.Share) bool { n := x.Next(); return n > 0 && n <= s.Room }) {
		s.Stop()
	}
	return s.Open
}

// Answer gives a worker more to a job, or stops; nil = as the rule in the agent's place does.
func (s *scheduler) Answer(_ *sim.View, action []float64) {
	i := 0
	if action == nil {
		i = s.choose(s.rule)
	} else {
		i = int(action[0])
	}
	if i == 0 {
		s.Stop()
		return
	}
	s.Give(i-1, s.Jobs[i-1].Next())
}

// Finish turns the counts of an epoch into decisions.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.List.Finish(v, out)
	at := s.wake.At(v.Now())
	if s.cfg.Every > 0 && (s.Made || at == sim.Never) {
		if at = v.Now() + s.cfg.Every; s.Empty() {
			at = sim.Never
		}
	}
	return s.wake.Set(v.Now(), at, out)
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := *s
	c.List, c.demo = s.List.Copy(), s.demo.copied()
	return &c
}

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, list := other.(*scheduler), s.List
	*s = *o
	list.CopyFrom(&o.List)
	s.List, s.demo = list, o.demo.copied()
}
