package preempt

import (
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler is the base policy with an agent who evicts.
type scheduler struct {
	cfg     *Config
	policy  plan.Evicting
	lease   sim.Time
	hide    bool // Config.HideWork
	every   sim.Time
	minRun  sim.Time
	victims int      // at most, per instant
	hidden  []int    // places of the observation that are held at 0
	knows   know.Set // what the observation and who is demonstrated read, beside the contest

	next    sim.Time // no question before
	asks    bool     // questions of this instant are open
	held    bool     // the contest has been held since the last eviction
	gone    int      // victims of this instant
	coming  int      // GPUs whose holders write a checkpoint
	blocked sim.JobID

	order   func(v *sim.View, j sim.JobID) float64 // of the baseline that is demonstrated; nil = it never evicts
	list    candidates
	waiting []plan.Wanted // scratch
}

func newScheduler(c *Config) *scheduler {
	s := &scheduler{cfg: c, policy: c.base.Copied(nil), lease: c.Lease(), hide: c.HideWork, every: c.Every,
		minRun:  c.MinRun,
		victims: c.Victims, hidden: hide.Places(c.layout(), c.groups(), c.Hide), list: candidates{most: c.Candidates}}
	s.knows = c.Sees()
	return s
}

// Knows is what the contest, the observation or the baseline that is demonstrated needs. Without
// work in the observation an agent in an order that is not clairvoyant is not either (one by
// predictions is where there is no predictor); without network, too, it reads nothing in the order
// of arrival or of service.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(s.policy.Knows()) | s.knows }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.policy.Begin(v, out)
	s.asks, s.held, s.gone, s.coming = v.Now() >= s.next, false, 0, 0
	if s.asks && v.Draining() > 0 {
		s.coming = v.Usable() - v.Free().Total()
		for _, j := range v.Running() {
			if s.policy.Evictable(v, j) {
				s.coming -= len(v.Run(j).Held())
			}
		}
	}
	return out
}

// Ask holds the contest and looks for a blocked job and candidates to evict.
func (s *scheduler) Ask(v *sim.View) bool {
	if !s.held {
		s.policy.Contest(v)
		s.held = true
	}
	if !s.asks || s.gone == s.victims {
		return false
	}
	j, ok := s.policy.Blocked()
	if !ok || s.list.choose(v, s) == 0 {
		return false
	}
	s.blocked, s.next = j, v.Now()+s.every
	return true
}

// Answer evicts a candidate, or none: the base policy never evicts.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	if action == nil || action[0] == 0 {
		s.asks = false
		return
	}
	j := s.list.jobs[int(action[0])-1].id
	if v.Run(j).CheckpointTime() > 0 {
		s.coming += len(v.Run(j).Held())
	}
	s.policy.Evict(v, j)
	s.gone++
	s.held = false
}

// Finish gives the base policy's decisions.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
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
	s.waiting, s.list.jobs = old.waiting, old.list.jobs
	s.policy = o.policy.Copied(old.policy)
}
