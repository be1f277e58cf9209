package grow

import (
	"cmp"
	"math"
	"slices"

	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler shares the GPUs by counts that an agent gives out one by one.
type scheduler struct {
	cfg    *Config
	rule   rule // in the agent's place
	demo   *follower
	sizer  *plan.Sizer
	curves *plan.Curves // of the run; shared by copies of one window
	line   []float64    // 0, 1, 2 ...: the speeds of a job that needs GPUs of several types
	wake   plan.Alarm

	due  bool // GPUs are to be shared anew
	late bool // a count of the last epoch could not be met
	open bool // an epoch is under way
	made bool // an epoch has ended at this instant
	room int  // GPUs that are left to give

	jobs   []share        // the list, by arrival
	rest   []sim.JobID    // jobs beyond its places, by arrival
	all    []share        // scratch
	counts []plan.Count   // scratch
	queue  []plan.Wanted  // scratch
	system []sim.JobID    // jobs in the system, by arrival
	start  []sim.Decision // scratch of the demonstration
}

// share is a job in the list.
type share struct {
	job sim.JobID
	// count is what it is to have, held what it has, least and most its range, step a worker.
	count, held, least, most, step int
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

// time is how long the job has left on a count.
func (x *share) time(count int) float64 { return x.left / max(1e-9, x.speed[count]) }

// fastest is how long it has left on the count at which it is fastest.
func (x *share) fastest() float64 { return x.time(plan.Peak(x.speed)) }

// wakeKey names the timer of regular epochs.
const wakeKey = 3

func newScheduler(c *Config, place cluster.Rule) *scheduler {
	r, _ := ruleOf(c.Rule) // own has checked it
	return &scheduler{cfg: c, rule: r, sizer: plan.NewSizer(place), curves: new(plan.Curves),
		wake: plan.Alarm{Key: wakeKey}}
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
	s.due = s.wake.Rung(v.Now()) || s.due
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
	if s.demo != nil {
		s.demo.see(v)
	}
	if s.made, s.open = false, s.due && len(s.system) > 0; s.open {
		s.list(v)
	}
	return out
}

// list begins an epoch: nothing is given out yet.
func (s *scheduler) list(v *sim.View) {
	s.room = v.Usable()
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
	x := share{job: j, speed: s.curves.Of(v, j), step: v.Job(j).WorkerGPUs()}
	if v.Run(j).State() == sim.Running {
		x.held = len(v.Run(j).Held())
	}
	x.least, x.most = v.Job(j).Range()
	if len(x.speed) <= x.least {
		for n := len(s.line); n <= max(v.Topology().GPUs(), x.least); n++ {
			s.line = append(s.line, float64(n))
		}
		x.speed = s.line
	}
	x.most = min(x.most, len(x.speed)-1)
	if x.left = v.Job(j).Estimate() - v.Run(j).Done(); !(x.left >= 1) || math.IsInf(x.left, 0) {
		x.left = 1
	}
	return x
}

// legal reports whether a job of the list may have more.
func (s *scheduler) legal(i int) bool {
	n := s.jobs[i].next()
	return n > 0 && n <= s.room
}

// given reports whether a job of the list has GPUs.
func (s *scheduler) given() bool {
	return slices.ContainsFunc(s.jobs, func(x share) bool { return x.count > 0 })
}

// Ask continues an epoch; it ends by itself when no job may have more.
func (s *scheduler) Ask(*sim.View) bool {
	if s.open && !slices.ContainsFunc(s.jobs, func(x share) bool { n := x.next(); return n > 0 && n <= s.room }) {
		s.stop()
	}
	return s.open
}

// stop ends the epoch.
func (s *scheduler) stop() { s.open, s.made, s.due = false, true, false }

// Answer gives a worker more to a job, or stops; nil = as the rule in the agent's place does.
func (s *scheduler) Answer(_ *sim.View, action []float64) {
	i := 0
	if action == nil {
		i = s.choose(s.rule)
	} else {
		i = int(action[0])
	}
	if i == 0 {
		s.stop()
		return
	}
	x := &s.jobs[i-1]
	n := x.next()
	x.count += n
	s.room -= n
}

// Finish turns the counts of an epoch into decisions.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.made {
		s.tally(v)
		n := len(out)
		out = s.sizer.Decide(v, s.counts, out)
		if s.late = len(s.sizer.Late()) > 0; s.late && len(v.Running())+v.Draining() == 0 {
			out = s.rescue(v, out, n)
		}
	}
	at := s.wake.At(v.Now())
	if s.cfg.Every > 0 && (s.made || at == sim.Never) {
		if at = v.Now() + s.cfg.Every; len(s.system) == 0 {
			at = sim.Never
		}
	}
	return s.wake.Set(v.Now(), at, out)
}

// rescue starts the first job that fits with its least count where nothing runs and no count could be
// met, such as on GPUs of several types: no event would follow.
func (s *scheduler) rescue(v *sim.View, out []sim.Decision, from int) []sim.Decision {
	for i := 0; len(out) == from && i < len(s.system); i++ {
		least, _ := v.Job(s.system[i]).Range()
		s.counts = append(s.counts[:0], plan.Count{Job: s.system[i], GPUs: int32(least)})
		out = s.sizer.Decide(v, s.counts, out)
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

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler { return s.copied() }

func (s *scheduler) copied() *scheduler {
	c := *s
	c.sizer, c.curves, c.demo = s.sizer.Clone(), new(plan.Curves), s.demo.copied()
	c.system, c.jobs, c.rest = slices.Clone(s.system), nil, nil
	c.all, c.counts, c.queue, c.start = nil, nil, nil, nil
	return &c
}

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	s.sizer, s.demo = old.sizer, o.demo.copied()
	s.system = append(old.system[:0], o.system...)
	s.jobs, s.rest, s.all = old.jobs[:0], old.rest[:0], old.all[:0]
	s.counts, s.queue, s.start = old.counts[:0], old.queue[:0], old.start[:0]
}
