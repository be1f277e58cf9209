package offer

import (
	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler is Dally without timers and with an agent who may decline.
type scheduler struct {
	policy   *contest.Policy
	base     plan.TimerSource
	demo     plan.TimerSource // whose patience is demonstrated; nil = no demonstration
	cfg      *Config
	lease    sim.Time
	knows    know.Set // what the observation reads, beside the contest
	hide     bool     // Config.HideWork
	hidden   []int    // places of the observation that are held at 0
	recheck  sim.Time
	offer    contest.Offer
	placed   bool // a job took a place at this instant
	declined bool
	waiting  []plan.Wanted // scratch
}

// open is a source of timers that are all open, and reports what was accepted.
type open struct{ s *scheduler }

func (open) Timers(int, sim.Time) (rack, net, until sim.Time) { return 0, 0, sim.Never }

func (o open) Accepted(demand int, level cluster.Level, wait, now sim.Time) {
	o.s.base.Accepted(demand, level, wait, now)
	if o.s.demo != nil {
		o.s.demo.Accepted(demand, level, wait, now)
	}
}

func newScheduler(c *Config) *scheduler {
	s := &scheduler{base: c.Dally.Timers(), cfg: c, lease: c.Lease(), hide: c.HideWork, recheck: c.Recheck,
		knows: c.Sees(), hidden: hide.Places(segments(), groups(), c.Hide)}
	s.policy = dally.NewPolicy(c.Dally, open{s})
	return s
}

// Knows is what the contest and the observation need.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(s.policy.Knows()) | s.knows }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.placed, s.declined = false, false
	return s.policy.Begin(v, out)
}

// Ask continues the contest up to an offer that may be declined.
func (s *scheduler) Ask(v *sim.View) bool {
	for {
		o, ok := s.policy.Next(v)
		if !ok {
			return false
		}
		stuck := !s.placed && len(v.Running()) == 0 && v.Draining() == 0
		if o.Level > max(o.Fits, cluster.LevelMachine) && !stuck {
			s.offer = o
			return true
		}
		s.take(v, o)
	}
}

func (s *scheduler) take(v *sim.View, o contest.Offer) {
	s.policy.Accept(v, o)
	s.placed = true
}

// Answer takes the offer or declines it; the base policy asks Dally's timers.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	yes := false
	if action == nil {
		yes = s.offer.Wait >= s.timer(v, s.base)
	} else {
		yes = action[0] == 1
	}
	if yes {
		s.take(v, s.offer)
		return
	}
	s.declined = true
	s.policy.Decline(s.offer)
}

// timer is the wait after which Dally with some timers would take the offer.
func (s *scheduler) timer(v *sim.View, of plan.TimerSource) sim.Time {
	rack, net, _ := of.Timers(v.Job(s.offer.Job).GPUs(), v.Now())
	if s.offer.Level == cluster.LevelRack {
		return rack
	}
	return net
}

// recheckKey is the timer that repeats declined offers; Dally's own is 0.
const recheckKey = 1

// Finish gives Dally's decisions and sees that declined offers are made again.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.policy.Finish(v, out)
	if s.declined {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + s.recheck, Key: recheckKey})
	}
	return out
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := &scheduler{policy: new(contest.Policy)}
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one, in its own memory.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	s.base, s.policy, s.waiting = contest.CopyTimers(old.base, o.base), old.policy, old.waiting
	s.demo = contest.CopyTimers(old.demo, o.demo)
	s.policy.CopyFrom(o.policy, open{s})
}

// features is the number of features of a job.
const features = 8 + 7

// Observe writes the features of the cluster and of the job that has the offer.
func (s *scheduler) Observe(v *sim.View, obs []float64, _ []bool) {
	s.waiting = s.policy.Waiting(s.waiting[:0])
	seen := obs
	obs = obs[schedenv.Cluster(v, s.waiting, s.lease, obs):]
	j := s.offer.Job
	n := schedenv.Job(v, j, s.lease, s.hide, obs)
	g, all := v.Job(j).GPUs(), float64(v.Topology().GPUs())
	rivals, behind := 0, 0
	for i := range s.waiting {
		if d := &s.waiting[i]; d.GPUs == g && d.Type == v.Job(j).GPUType() {
			rivals += d.Waiting - 1
		} else {
			behind += d.Waiting * d.GPUs
		}
	}
	patience := 1.0
	if t := s.timer(v, s.base); t == sim.Never {
		patience = 0
	} else if t > 0 {
		patience = schedenv.Leases(s.offer.Wait, t)
	}
	f := v.Free()
	copy(obs[n:], []float64{schedenv.Place(s.offer.Level), schedenv.Place(s.offer.Fits),
		schedenv.Share(float64(f.Largest(cluster.LevelMachine)), float64(g)),
		schedenv.Share(float64(f.Largest(cluster.LevelRack)), float64(g)),
		patience, schedenv.Squash(float64(max(0, rivals)) / float64(v.Topology().Machines())),
		schedenv.Squash(float64(behind) / all)})
	hide.Blank(seen, s.hidden)
}
