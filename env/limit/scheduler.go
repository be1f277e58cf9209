package limit

import (
	"cmp"
	"math"
	"slices"

	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler shares the GPUs by the limits that an agent gives to jobs.
type scheduler struct {
	cfg    *Config
	levels []int // the limits
	rule   rule  // in the agent's place
	demo   *rule
	sizer  *plan.Sizer
	curves plan.Curves

	due  bool // GPUs are to be shared anew
	late bool // a count of the last epoch could not be met
	open bool // an epoch is under way
	made bool // an epoch has ended at this instant
	room int  // GPUs that are left to give

	jobs   []share       // the list, by arrival
	rest   []sim.JobID   // jobs beyond its places, by arrival
	all    []share       // scratch
	plan   []share       // scratch
	counts []plan.Count  // scratch
	queue  []plan.Wanted // scratch
	system []sim.JobID   // jobs in the system, by arrival
}

// share is a job in the list.
type share struct {
	job sim.JobID
	// count is what it is to have, once chosen; held what it has, least and most its range, step a
	// worker.
	count, held, least, most, step int
	chosen                         bool
	place                          int // in the list, of a plan
	// left is its work left, in time of one reference GPU; speed its speed by count.
	left  float64
	speed []float64
}

// next is how many GPUs the job's next worker has, 0 = it may have no more.
func (x *share) next() int {
	n := x.step
	if x.count == 0 {
		n = x.least
	}
	if x.count+n > x.most {
		return 0
	}
	return n
}

// faster is how much speed the job's next worker adds for each of its GPUs; 0 = it may have no more.
func (x *share) faster() float64 {
	n := x.next()
	if n == 0 {
		return 0
	}
	return (x.speed[x.count+n] - x.speed[x.count]) / float64(n)
}

// time is how long the job has left on a count, fastest on the count at which it is fastest.
func (x *share) time(count int) float64 { return x.left / max(1e-9, x.speed[count]) }
func (x *share) fastest() float64       { return x.time(plan.Peak(x.speed)) }

func newScheduler(c *Config) *scheduler {
	r, _ := ruleOf(c.Rule) // own has checked it
	return &scheduler{cfg: c, rule: r, sizer: plan.NewSizer(c.place)}
}

// Knows is what jobs have left by the runs' estimates, and their speeds.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(know.Estimate) | know.Done | know.Speed }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			if v.Run(ev.Job).State() == sim.Waiting {
				s.system, s.due = append(s.system, ev.Job), true
			}
		case sim.Finish:
			if i, ok := slices.BinarySearch(s.system, ev.Job); ok {
				s.system = slices.Delete(s.system, i, i+1)
			}
			s.due = true
		case sim.OutOfMemory, sim.Fail, sim.Repair, sim.Load:
			s.due = true
		case sim.Drained:
			s.due = s.due || s.late
		}
	}
	if s.made, s.open = false, s.due && len(s.system) > 0; s.open {
		s.list(v)
	}
	return out
}

// list begins an epoch: nothing is given out yet.
func (s *scheduler) list(v *sim.View) {
	if s.room = v.Usable(); s.levels == nil {
		s.levels = s.cfg.levels(v.Topology().GPUs())
	}
	s.all = s.all[:0]
	for _, j := range s.system {
		switch v.Run(j).State() {
		case sim.Waiting, sim.Running:
			s.all = append(s.all, s.shareOf(v, j))
		case sim.Draining:
			s.room -= len(v.Run(j).Held())
		}
	}
	s.jobs, s.rest = append(s.jobs[:0], s.all...), s.rest[:0]
	if len(s.jobs) <= s.cfg.Jobs {
		return
	}
	slices.SortStableFunc(s.all, func(a, b share) int { return cmp.Compare(a.fastest(), b.fastest()) })
	for _, x := range s.all[s.cfg.Jobs:] {
		s.rest = append(s.rest, x.job)
	}
	slices.Sort(s.rest)
	s.jobs = slices.DeleteFunc(s.jobs, func(x share) bool {
		_, beyond := slices.BinarySearch(s.rest, x.job)
		return beyond
	})
}

// shareOf reads a job.
func (s *scheduler) shareOf(v *sim.View, j sim.JobID) share {
	c := s.curves.Counts(v, j)
	x := share{job: j, speed: c.Speed, least: c.Lo, most: c.Hi, step: c.Unit}
	if c.Wide {
		x.most = c.Lo
	}
	if v.Run(j).State() == sim.Running {
		x.held = len(v.Run(j).Held())
	}
	if x.left = v.Job(j).Estimate() - v.Run(j).Done(); !(x.left >= 1) || math.IsInf(x.left, 0) {
		x.left = 1
	}
	return x
}

// counted is how many GPUs a limit gives a job of the list; 0 = it cannot run on so many.
func (s *scheduler) counted(place, limit int) int {
	x := &s.jobs[place]
	n := min(s.levels[limit], x.most, s.room)
	if n < x.least {
		return 0
	}
	return n - (n-x.least)%x.step
}

// legal reports whether a job of the list may have a limit: it has none yet, and the limit before gives
// it less.
func (s *scheduler) legal(place, limit int) bool {
	if limit < 0 || s.jobs[place].chosen {
		return false
	}
	n := s.counted(place, limit)
	return n > 0 && (limit == 0 || n > s.counted(place, limit-1))
}

// Ask continues an epoch; it ends by itself when no job may have GPUs.
func (s *scheduler) Ask(*sim.View) bool {
	if !s.open {
		return false
	}
	for i := range s.jobs {
		if s.levelOf(i, 0) >= 0 {
			return true
		}
	}
	s.open, s.made, s.due = false, true, false
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
	n := s.counted(place, limit)
	s.jobs[place].count, s.jobs[place].chosen = n, true
	s.room -= n
}

// Finish turns the counts of an epoch into decisions.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.made {
		s.tally(v)
		out = s.sizer.Decide(v, s.counts, out)
		s.late = len(s.sizer.Late()) > 0
	}
	return out
}

// tally lists the counts: starts first, the largest before others, then what runs. Jobs beyond the
// list get their least counts of what is left.
func (s *scheduler) tally(v *sim.View) {
	s.counts = s.counts[:0]
	for i := range s.jobs {
		s.counts = append(s.counts, plan.Count{Job: s.jobs[i].job, GPUs: int32(s.jobs[i].count)})
	}
	for _, j := range s.rest {
		n := 0
		if least, _ := v.Job(j).Range(); least <= s.room {
			n = least
		}
		s.room -= n
		s.counts = append(s.counts, plan.Count{Job: j, GPUs: int32(n)})
	}
	runs := func(c plan.Count) int {
		if v.Run(c.Job).State() == sim.Running {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(s.counts, func(a, b plan.Count) int {
		if r := cmp.Compare(runs(a), runs(b)); r != 0 || runs(a) == 1 {
			return r
		}
		return cmp.Compare(b.GPUs, a.GPUs)
	})
}

// Follow names a rule to demonstrate.
func (s *scheduler) Follow(name string) error {
	r, err := ruleOf(name)
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
	c.sizer, c.curves, c.system = s.sizer.Clone(), plan.Curves{}, slices.Clone(s.system)
	c.jobs, c.rest, c.all, c.plan, c.counts, c.queue = nil, nil, nil, nil, nil, nil
	return &c
}

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	s.sizer, s.curves = old.sizer, plan.Curves{} // another run may have other speeds
	s.system = append(old.system[:0], o.system...)
	s.jobs, s.rest, s.all, s.plan = old.jobs[:0], old.rest[:0], old.all[:0], old.plan[:0]
	s.counts, s.queue = old.counts[:0], old.queue[:0]
}
