package power

import (
	"slices"

	"tarry/baselines/over"
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// key is the environment's timer; hosts have lower keys.
const key = 1024

// scheduler is the base policy with an agent for machines and clocks.
type scheduler struct {
	host     over.Host
	cfg      *Config
	lease    sim.Time
	hidden   []int // places of the observation that are held at 0
	rule     rule  // who is demonstrated
	smallest int   // GPUs of the smallest machine; 0 before the first instant
	largest  int   // GPUs of the largest machine

	set      levels
	acted    bool     // the agent has set the levels: else nothing is switched
	epoch    sim.Time // the next one
	due      bool     // the question of this instant is open
	retune   bool     // clocks have changed
	waiting  []sim.JobID
	touched  []sim.JobID // jobs of the last decisions, which may wait now
	machines machines
	alarms   plan.Alarm
	watts    account

	slept   int           // decisions of this instant that switch machines off
	wanted  []plan.Wanted // scratch
	classes [classes]class
}

func newScheduler(c *Config) *scheduler {
	host := over.New(c.host, key)
	s := &scheduler{host: host.Copy(), cfg: c, lease: c.Lease(),
		hidden: hide.Places(segments(), groups(), c.Hide), alarms: plan.Alarm{Key: key}}
	s.watts.read(c)
	return s
}

// Knows is what the base policy reads, and prices a day ahead.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(s.host.Knows()) | know.Series }

// Begin notes who waits and sees whether an epoch is due.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.smallest == 0 {
		s.start(v)
	}
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob {
			s.sort(v, ev.Job)
		}
	}
	for _, j := range s.touched {
		s.sort(v, j)
	}
	s.touched = s.touched[:0]
	s.machines.look(v)
	if s.due = v.Now() >= s.epoch; s.due {
		s.epoch = v.Now() - v.Now()%s.cfg.Every + s.cfg.Every
		s.measure(v)
	}
	return out
}

// start takes the size of the cluster; all machines are on, at the nominal clock.
func (s *scheduler) start(v *sim.View) {
	t := v.Topology()
	s.largest = t.Capacity(cluster.LevelMachine)
	s.smallest = s.largest
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		s.smallest = min(s.smallest, int(hi-lo))
	}
	s.set = levels{limit: t.Machines(), spare: t.Machines(), timer: sim.Never}
	for i := range s.set.clock {
		s.set.clock[i] = 1
	}
}

// sort puts a job into the list of waiting jobs, or takes it out.
func (s *scheduler) sort(v *sim.View, j sim.JobID) {
	i, there := slices.BinarySearch(s.waiting, j)
	switch waits := v.Run(j).State() == sim.Waiting; {
	case waits && !there:
		s.waiting = slices.Insert(s.waiting, i, j)
	case !waits && there:
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
}

// Ask reports whether the question of the epoch is open.
func (s *scheduler) Ask(*sim.View) bool { return s.due }

// Answer sets the levels; nil leaves them as they are.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	s.due = false
	if action == nil {
		return
	}
	was := s.set.clock
	s.set, s.acted = s.cfg.decode(action, v.Topology().Machines(), s.lease), true
	s.retune = s.retune || was != s.set.clock
}

// Finish switches machines off, lets the base policy decide, sets clocks and boots machines.
func (s *scheduler) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	s.slept = 0
	if s.acted {
		out = s.sleep(v, out)
		s.slept = len(out)
	}
	if s.retune {
		out = s.tune(v, out)
		s.retune = false
	}
	from, free := len(out), v.Free().Total()
	out = s.host.Ask(v, out)
	free += s.follow(v, out[from:])
	next := s.epoch
	if s.acted {
		out = s.wake(v, free, out)
		next = min(next, s.alarm(v))
	}
	return s.alarms.Set(v.Now(), next, out)
}

// follow notes who starts and stops by the base policy's decisions, sets the clocks of jobs that get
// GPUs, and gives how many GPUs become free.
func (s *scheduler) follow(v *sim.View, made []sim.Decision) (free int) {
	for i := range made {
		switch d := &made[i]; d.Kind {
		case sim.Start:
			free -= len(d.GPUs)
			s.leave(d.Job)
			d.FreqFrac = s.set.clock[s.classOf(v, d.Job)]
		case sim.Migrate, sim.Resize:
			free += len(v.Run(d.Job).Held()) - len(d.GPUs)
			d.FreqFrac = s.set.clock[s.classOf(v, d.Job)]
		case sim.Preempt:
			if v.Run(d.Job).CheckpointTime() == 0 {
				free += len(v.Run(d.Job).Held())
			}
		case sim.Reject:
			s.leave(d.Job)
		default:
			continue
		}
		s.touched = append(s.touched, made[i].Job)
	}
	return free
}

// leave takes a job out of the list of waiting jobs.
func (s *scheduler) leave(j sim.JobID) {
	if i, there := slices.BinarySearch(s.waiting, j); there {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := new(scheduler)
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one, in its own memory but for the base policy.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o, old := other.(*scheduler), *s
	*s = *o
	s.host = o.host.Copy()
	s.waiting, s.touched = append(old.waiting[:0], o.waiting...), append(old.touched[:0], o.touched...)
	s.machines.idle, s.wanted = append(old.machines.idle[:0], o.machines.idle...), old.wanted
}
