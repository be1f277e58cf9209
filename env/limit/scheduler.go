package limit

import (
	"tarry/env/schedenv"
	"tarry/env/schedenv/shares"
	"tarry/sim"
	"tarry/sim/know"
)

// scheduler shares the GPUs by the limits that an agent gives to jobs: a job has one once it has a count.
type scheduler struct {
	shares.List
	cfg    *Config
	levels []int       // the limits
	rule   shares.Rule // in the agent's place
	demo   *shares.Rule
	plan   []planned // scratch
}

// planned is a job of the list, and its place there.
type planned struct {
	shares.Share
	place int
}

func newScheduler(c *Config) *scheduler {
	r, _ := rules().Named(c.Rule) // own has checked it
	return &scheduler{List: shares.New(c.Jobs, c.place), cfg: c, rule: r}
}

// Knows is what jobs have left by the runs' estimates, and their speeds.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(know.Estimate) | know.Done | know.Speed }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.List.Begin(v, false); s.levels == nil {
		s.levels = s.cfg.levels(v.Topology().GPUs())
	}
	return out
}

// counted is how many GPUs a limit gives a job of the list; 0 = it cannot run on so many.
func (s *scheduler) counted(place, limit int) int {
	x := &s.Jobs[place]
	n := min(s.levels[limit], x.Most, s.Room)
	if n < x.Least {
		return 0
	}
	return n - (n-x.Least)%x.Step
}

// legal reports whether a job of the list may have a limit: it has none yet, and the limit before gives
// it less.
func (s *scheduler) legal(place, limit int) bool {
	if limit < 0 || s.Jobs[place].Count > 0 {
		return false
	}
	n := s.counted(place, limit)
	return n > 0 && (limit == 0 || n > s.counted(place, limit-1))
}

// Ask continues an epoch; it ends by itself when no job may have GPUs.
func (s *scheduler) Ask(*sim.View) bool {
	if !s.Open {
		return false
	}
	for i := range s.Jobs {
		if s.levelOf(i, 0) >= 0 {
			return true
		}
	}
	s.Stop()
	return false
}

// Answer gives a job its limit; nil = as the rule in the agent's place does.
func (s *scheduler) Answer(_ *sim.View, action []float64) {
	var place, limit int
	if action == nil {
		place, limit = s.choose(s.rule)
	} else {
		place, limit = int(action[0])/len(s.levels), int(action[0])%len(s.levels)
	}
	s.Give(place, s.counted(place, limit))
}

// Follow names a rule to demonstrate.
func (s *scheduler) Follow(name string) error {
	r, err := rules().Named(name)
	if err == nil {
		s.demo = &r
	}
	return err
}

// Demonstrate answers as the rule that is followed.
func (s *scheduler) Demonstrate(_ *sim.View, action []float64) {
	r := &s.rule
	if s.demo != nil {
		r = s.demo
	}
	place, limit := s.choose(*r)
	action[0] = float64(place*len(s.levels) + limit)
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := *s
	c.List, c.plan = s.List.Copy(), nil
	return &c
}

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	old.List.CopyFrom(&o.List)
	s.List, s.plan = old.List, old.plan[:0]
}
