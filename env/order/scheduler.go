package order

import (
	"math"

	"tarry/baselines/contest"
	"tarry/baselines/score"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler is Dally with an agent that chooses who goes first.
type scheduler struct {
	cfg     *Config
	policy  *contest.Policy
	keys    *keys
	timers  *timers
	lease   sim.Time
	waiting []plan.Wanted // scratch

	asked bool
	list  list
	demo  *demo // nil = no demonstration policy
}

func newScheduler(c *Config) *scheduler {
	d := c.dallyConfig()
	s := &scheduler{cfg: c, lease: c.Lease(), keys: newKeys(c),
		timers: &timers{lease: c.Lease(), auto: d.Timers()}, list: list{most: c.Jobs}}
	s.policy = contest.NewRanked(d.Config, s.timers, s.keys)
	return s
}

// Knows is what the contest, the observation or the baseline that is demonstrated needs. What an
// exact predictor states is the work itself.
func (s *scheduler) Knows() know.Set {
	k := s.policy.Knows() | s.keys.Knows()
	if k&know.Estimate != 0 && s.cfg.Truth() {
		k |= know.Work
	}
	if s.demo != nil {
		k |= s.cfg.Declares(s.demo.knows)
	}
	return k
}

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.asked = false
	return s.policy.Begin(v, out)
}

// Ask makes the list, once in an instant.
func (s *scheduler) Ask(v *sim.View) bool {
	if s.asked {
		return false
	}
	s.asked = true
	return s.list.choose(v, s)
}

// Observe writes the features of the cluster and of the jobs in the list.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) {
	s.waiting = s.policy.Waiting(s.waiting[:0])
	s.cfg.observe(v, s.keys.read, s.waiting, s.list.jobs, obs)
}

// rowLen is how many numbers the list has per job, if no time that is left is among them.
const rowLen = 1 + int(score.Pressure)

// rowLen is how many numbers the list has per job: the time that is left, by the law and by the
// request, comes last, where the features have it.
func (c *Config) rowLen() int {
	if c.Rule.Func.Foresees() {
		return rowLen + int(score.NumInputs-score.Left)
	}
	return rowLen
}

// Answer holds the contest in the order of the scores; nil = as Dally, without evictions.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	if action == nil {
		s.play(v, byDally, nil)
		return
	}
	s.keys.unscore()
	for _, j := range v.Running() {
		if s.policy.Evictable(v, j) {
			s.keys.score(j, math.Inf(-1))
		}
	}
	for i, j := range s.list.jobs {
		s.keys.score(j, action[i])
	}
	g := s.cfg.globals(action)
	s.play(v, byScores, &g)
}

// Reads states what Answer reads of an action, so that snapshots leave out the rest: the places that
// have a job, and the globals.
func (s *scheduler) Reads() (head, tail int) {
	if s.cfg.Globals {
		tail = numGlobals
	}
	return len(s.list.jobs), tail
}

// play sets how jobs are ordered from now on. The contest runs in Finish.
func (s *scheduler) play(v *sim.View, m mode, g *score.Globals) {
	anew := m == byScores || m != s.keys.mode
	s.keys.mode = m
	if g == nil {
		s.timers.set = false
		s.policy.SetEvictions(false, math.Inf(1), 0)
	} else {
		s.timers.use(g)
		s.policy.SetEvictions(!math.IsInf(g.Margin, 1), g.Margin, g.MinRun)
	}
	if anew {
		s.policy.Rekey(v)
	}
}

// Finish gives the decisions of the instant.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	s.policy.Play(v)
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
	s.waiting, s.list = old.waiting, old.list
	s.list.copyFrom(&o.list)
	if s.policy, s.timers = old.policy, old.timers; s.policy == nil {
		s.policy, s.timers = new(contest.Policy), new(timers)
	}
	s.timers.copyFrom(o.timers)
	s.policy.CopyFrom(o.policy, s.timers)
	s.keys = s.policy.OrderedBy().(*keys)
}
