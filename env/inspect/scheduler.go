package inspect

import (
	"fmt"

	"tarry/baselines/inspected"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
)

// scheduler is a base rule with an agent that inspects.
type scheduler struct {
	*inspected.Protocol
	cfg  *Config
	demo inspected.Inspector // that is demonstrated
}

func newScheduler(c *Config) *scheduler {
	p, _ := inspected.New(&c.Protocol) // check has seen it
	never, _ := inspected.InspectorOf("never")
	return &scheduler{p, c, never}
}

// Knows is where run times are from, and what they give away.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(s.Protocol.Knows()) }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.Protocol.Begin(v)
	return out
}

// Observe writes what an agent sees.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) { s.Protocol.Observe(v, obs) }

// Answer lets the job go or refuses it; nil = the base rule as it is.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	s.Protocol.Answer(v, action != nil && action[0] == 1)
}

// Finish gives the decisions of the instant.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	return s.Decisions(v, out)
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler { return &scheduler{s.Copied(), s.cfg, s.demo} }

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o := other.(*scheduler)
	s.cfg, s.demo = o.cfg, o.demo
	s.Protocol.CopyFrom(o.Protocol)
}

// Follow names the fixed inspector that is demonstrated.
func (s *scheduler) Follow(name string) (err error) {
	if s.demo, err = inspected.InspectorOf(name); err != nil {
		return fmt.Errorf("%s cannot be followed: %w", name, err)
	}
	return nil
}

// Demonstrate answers as that inspector.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	if action[0] = 0; s.demo.Refuses(s.Question(v)) {
		action[0] = 1
	}
}
