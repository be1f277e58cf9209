package rollout

import (
	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/plan"
)

// steered is a contest with evictions in which a turn may take the place of the rule for victims.
type steered struct {
	*contest.Policy
	turn *turn    // of the next decision; nil = none
	hold sim.Time // no job is evicted before it
	wake plan.Alarm
}

// turn is what happens at one decision in place of the rule.
type turn struct {
	// set goes for the blocked job; none where it is empty.
	set []sim.JobID
	// hold has no job evicted before it; one that is not after the present ends what holds.
	hold sim.Time
}

// wakeKey is the timer of a hold; contests have the first ones.
const wakeKey = 7

func newSteered(p *contest.Policy) *steered {
	return &steered{Policy: p, wake: plan.Alarm{Key: wakeKey}}
}

// Decide implements sim.Policy.
func (s *steered) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	t := s.turn
	s.turn = nil
	s.wake.Rung(v.Now())
	if t != nil {
		s.hold = t.hold
	}
	at := sim.Never
	switch {
	case s.hold > v.Now():
		at = s.hold
		out = s.Begin(v, out)
		s.Contest(v)
		out = s.Finish(v, out)
	case t != nil && len(t.set) > 0:
		out = s.Begin(v, out)
		s.Contest(v)
		for _, j := range t.set {
			s.Evict(v, j)
		}
		s.Play(v)
		out = s.Finish(v, out)
	default:
		out = s.Policy.Decide(v, out)
	}
	return s.wake.Set(v.Now(), at, out)
}

// copyFrom makes s equal to another one, in its own memory.
func (s *steered) copyFrom(o *steered) {
	s.Policy.CopyFrom(o.Policy, contest.CopyTimers(s.Policy.Timers(), o.Policy.Timers()))
	s.turn, s.hold, s.wake = o.turn, o.hold, o.wake
}

// Clone gives an independent copy. It is taken between decisions.
func (s *steered) Clone() sim.Policy {
	c := newSteered(s.Policy.Clone().(*contest.Policy))
	c.hold, c.wake = s.hold, s.wake
	return c
}
