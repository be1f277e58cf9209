package pairs

import (
	"cmp"
	"slices"

	"tarry/baselines/typed"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler is the plan of typed with an agent that scores pairs.
type scheduler struct {
	cfg    *parts
	policy *typed.Policy
	demo   []float64 // the weights that are demonstrated; nil = none

	plans, asked bool
	jobs         []sim.JobID // in the list
	scores       scores
	ranks        []ranked      // scratch
	waiting      []plan.Wanted // scratch
}

// scores are an answer.
type scores struct {
	types  int
	place  []int32 // by job, its place in the list, from 1; 0 = it has none
	action []float64
}

// Score implements typed.Scores.
func (s *scores) Score(j sim.JobID, on int) (float64, bool) {
	at := int(s.place[j]) - 1
	if at < 0 || on >= s.types {
		return 0, false
	}
	return s.action[at*s.types+max(0, on)], true
}

// ranked is a job and its least score.
type ranked struct {
	job   sim.JobID
	least float64
}

func newScheduler(c *parts) *scheduler {
	return &scheduler{cfg: c, policy: c.start.Clone().(*typed.Policy), scores: scores{types: c.types}}
}

// Knows is what the plan and the observation read. What an exact predictor states is the work itself.
func (s *scheduler) Knows() know.Set {
	k := s.policy.KnowsAll()
	if k&know.Estimate != 0 && s.cfg.Truth() {
		k |= know.Work
	}
	return k
}

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.asked = false
	out, s.plans = s.policy.Begin(v, out)
	return out
}

// Ask makes the list, once in an instant that is planned.
func (s *scheduler) Ask(v *sim.View) bool {
	if s.asked || !s.plans {
		return false
	}
	s.asked = true
	s.policy.Look()
	s.jobs = s.policy.Competing(v, s.jobs[:0])
	if !s.several(v) {
		return false
	}
	if len(s.jobs) > s.cfg.Jobs {
		s.cut(v)
	}
	return true
}

// several reports whether two pairs or more compete.
func (s *scheduler) several(v *sim.View) bool {
	n := 0
	var x typed.Inputs
	for _, j := range s.jobs {
		for k := range s.cfg.types {
			if s.policy.ReadPair(v, j, k, &x) {
				if n++; n > 1 {
					return true
				}
			}
		}
	}
	return false
}

// cut leaves the jobs in the list whose first pair is the least.
func (s *scheduler) cut(v *sim.View) {
	s.ranks = s.ranks[:0]
	for _, j := range s.jobs {
		s.ranks = append(s.ranks, ranked{j, s.policy.Least(v, j)})
	}
	slices.SortFunc(s.ranks, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.least, b.least), cmp.Compare(a.job, b.job))
	})
	s.jobs = s.jobs[:0]
	for _, x := range s.ranks[:s.cfg.Jobs] {
		s.jobs = append(s.jobs, x.job)
	}
	slices.Sort(s.jobs)
}

// Observe writes the features of the cluster and of the pairs in the list.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) {
	s.waiting = s.waiting[:0]
	s.waiting = s.policy.Waiting(v, s.waiting)
	n := schedenv.Cluster(v, s.waiting, s.cfg.Lease(), obs)
	obs[n] = s.policy.Look().Pressure
	obs = obs[n+1:]
	clear(obs)
	var x typed.Inputs
	for i, j := range s.jobs {
		s.policy.ReadJob(v, j, &x.Job)
		for k := range s.cfg.types {
			if s.policy.ReadPair(v, j, k, &x) {
				write(obs[(i*s.cfg.types+k)*rowLen:][:rowLen], &x)
			}
		}
	}
}

// Answer has the plan follow the scores; nil = as typed.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	if s.scores.action = action; action == nil {
		return
	}
	if n := v.NumJobs(); len(s.scores.place) != n {
		s.scores.place = slices.Grow(s.scores.place[:0], n)[:n]
		clear(s.scores.place)
	}
	for i, j := range s.jobs {
		s.scores.place[j] = int32(i + 1)
	}
}

// Reads states what Answer reads of an action, so that snapshots leave out the rest.
func (s *scheduler) Reads() (head, tail int) { return len(s.jobs) * s.cfg.types, 0 }

// Finish gives the decisions of the instant.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	switch {
	case !s.plans:
		return out
	case s.scores.action == nil:
		return s.policy.Plan(v, nil, out)
	}
	out = s.policy.Plan(v, &s.scores, out)
	s.scores.action = nil
	for _, j := range s.jobs {
		s.scores.place[j] = 0
	}
	return out
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := newScheduler(s.cfg)
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one, in its own memory.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	s.policy, s.jobs, s.ranks, s.waiting = old.policy, append(old.jobs[:0], o.jobs...), old.ranks, old.waiting
	s.policy.CopyFrom(o.policy)
	s.scores = scores{types: o.scores.types, place: old.scores.place[:0]}
}
