package mix

import (
	"fmt"
	"slices"
	"strings"

	"tarry/baselines/over"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// inTurn names the demonstration in which all members take turns.
const inTurn = "turns"

// scheduler is members with an agent that names who decides.
type scheduler struct {
	cfg     *Config
	lease   sim.Time
	turns   *over.Turns
	next    sim.Time // begin of the next turn
	of      int      // the member whose turn it is
	due     bool     // the question of this instant is open
	follows int      // the member that is demonstrated; -1 = all in turn
	waiting []plan.Wanted
}

func newScheduler(c *Config) *scheduler {
	return &scheduler{cfg: c, lease: c.Lease(), turns: over.NewTurns(c.takers, over.MixKey)}
}

// Knows is what any member reads.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(s.turns.Knows()) }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.turns.Hear(v)
	if s.due = v.Now() >= s.next; s.due {
		s.next = v.Now() - v.Now()%s.cfg.Every + s.cfg.Every
	}
	return out
}

// Ask reports whether the question of the turn is open.
func (s *scheduler) Ask(*sim.View) bool { return s.due && len(s.cfg.takers) > 1 }

// Observe writes the constant 1, or the features of the cluster.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) {
	if !s.cfg.Observe {
		obs[0] = 1
		return
	}
	s.waiting = s.waiting[:0]
	for _, j := range s.turns.Jobs(v) {
		if v.Run(j).State() == sim.Waiting {
			s.waiting = append(s.waiting, plan.Wanted{GPUs: v.Job(j).GPUs(), Waiting: 1, Oldest: v.Run(j).Since()})
		}
	}
	schedenv.Cluster(v, s.waiting, s.lease, obs)
}

// Answer names the member; nil = the first.
func (s *scheduler) Answer(_ *sim.View, action []float64) {
	s.due, s.of = false, 0
	if action != nil {
		s.of = int(action[0])
	}
}

// Finish lets the member decide.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.turns.Decide(v, s.of, out)
	return s.turns.Wake(v, s.next, out)
}

// Follow names the member that is demonstrated, or turns.
func (s *scheduler) Follow(baseline string) error {
	names := append(slices.Clone(s.cfg.Members), inTurn)
	i := slices.Index(names, baseline)
	if i < 0 {
		return fmt.Errorf("%s cannot be followed, expected one of %s", baseline, strings.Join(names, ", "))
	}
	if s.follows = i; i == len(s.cfg.Members) {
		s.follows = -1
	}
	return nil
}

// Demonstrate names the member of Follow.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	if action[0] = float64(s.follows); s.follows < 0 {
		action[0] = float64(int(v.Now()/s.cfg.Every) % len(s.cfg.Members))
	}
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := new(scheduler)
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	waiting := s.waiting[:0]
	*s = *other.(*scheduler)
	s.turns, s.waiting = s.turns.Copy(), waiting
}
