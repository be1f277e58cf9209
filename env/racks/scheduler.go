package racks

import (
	"cmp"
	"slices"

	"tarry/env/schedenv"
	"tarry/env/schedenv/sets"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// desk is the scheduler of a rack.
type desk struct {
	queue plan.Queue
	asked int // GPUs that its waiting jobs ask for
}

// scheduler is the schedulers of all racks, whose questions are asked in turn.
type scheduler struct {
	sets.Starts
	cfg   *Config
	lease sim.Time
	desks []desk
	at    []int32 // job -> the rack whose scheduler has it; -1 = it has not arrived
	sent  []uint8 // job -> how often it was forwarded
	size  []int   // rack -> GPUs

	job    sim.JobID // of the pending question
	rack   int
	wide   bool // the job is larger than every rack
	gpus   [sets.N][]cluster.GPU
	racks  []int32       // that the job may go to, the freest first
	hidden []cluster.GPU // scratch: free GPUs of other racks
	base   *rule         // in the agent's place
	demo   *rule         // the rule that is demonstrated; nil = none
}

func newScheduler(c *Config) *scheduler {
	return &scheduler{Starts: sets.New(), cfg: c, lease: c.Lease(), base: cmp.Or(c.rule, &rules()[0])}
}

// Knows is the speeds that the observation shows, or what the rule reads.
func (s *scheduler) Knows() know.Set {
	if s.cfg.rule != nil {
		return s.cfg.rule.Knows
	}
	return know.Speed
}

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.grow(v)
	s.Starts.Begin(v)
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
				s.arrive(v, ev.Job)
			}
		}
	}
	for i := range s.desks {
		s.desks[i].queue.Open()
	}
	return out
}

// grow makes room for the racks and jobs of a run.
func (s *scheduler) grow(v *sim.View) {
	t := v.Topology()
	if len(s.desks) != t.Racks() {
		s.desks, s.size = make([]desk, t.Racks()), make([]int, t.Racks())
		for m := range t.Machines() {
			lo, hi := t.MachineGPUs(m)
			s.size[t.Rack(m)] += int(hi - lo)
		}
	}
	for len(s.at) < v.NumJobs() {
		s.at, s.sent = append(s.at, -1), append(s.sent, 0)
	}
}

// arrive puts a job into the queue of its scheduler: of the rack that it had, or that it first arrives
// at.
func (s *scheduler) arrive(v *sim.View, j sim.JobID) {
	if r := s.at[j]; r >= 0 {
		if !s.desks[r].queue.Has(j) {
			s.add(v, j, int(r))
		}
		return
	}
	first := int(j) % len(s.desks)
	r := first
	for !s.holds(v, j, r) {
		if r = (r + 1) % len(s.desks); r == first {
			break // larger than every rack
		}
	}
	s.add(v, j, r)
}

// holds reports whether a rack can hold a job, with its CPU and memory, when nothing else runs there.
func (s *scheduler) holds(v *sim.View, j sim.JobID, rack int) bool {
	t, job := v.Topology(), v.Job(j)
	p, n := job.PerGPU(), 0
	if p.CPUMilli == 0 && p.MemMiB == 0 && p.Type == "" {
		return s.size[rack] >= job.GPUs()
	}
	for m, hi := t.RackMachines(rack); m < hi && n < job.GPUs(); m++ {
		n += t.Room(m, p)
	}
	return n >= job.GPUs()
}

func (s *scheduler) add(v *sim.View, j sim.JobID, rack int) {
	s.at[j] = int32(rack)
	s.desks[rack].queue.Add(v, j, 0, 0)
	s.desks[rack].asked += v.Job(j).GPUs()
}

func (s *scheduler) remove(v *sim.View, j sim.JobID) {
	d := &s.desks[s.at[j]]
	d.queue.Remove(j)
	d.asked -= v.Job(j).GPUs()
}

// Ask looks for the first job, by arrival, of the schedulers' queues that has a choice.
func (s *scheduler) Ask(v *sim.View) bool {
	for {
		s.job = sim.NoJob
		for r := range s.desks {
			if j := s.desks[r].queue.Best(); j != sim.NoJob && (s.job == sim.NoJob || j < s.job) {
				s.job, s.rack = j, r
			}
		}
		if s.job == sim.NoJob {
			return false
		}
		if s.look(v) {
			return true
		}
		s.desks[s.rack].queue.Close(s.job)
	}
}

// Answer takes an action; nil = as the rule in the agent's place does.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	if action == nil {
		s.choose(v, s.base.Choose(s, v))
		return
	}
	s.choose(v, int(action[0]))
}

// choose takes a choice: 0 = wait, then the sets, then the racks.
func (s *scheduler) choose(v *sim.View, choice int) {
	q := &s.desks[s.rack].queue
	switch {
	case choice == 0:
		q.Close(s.job)
	case choice < forward:
		s.Start(v, s.job, q.Demand(s.job), s.gpus[choice-1])
		s.remove(v, s.job)
	default:
		s.remove(v, s.job)
		s.sent[s.job]++
		s.add(v, s.job, int(s.racks[choice-forward]))
	}
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := newScheduler(s.cfg)
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one, in its own memory.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o := other.(*scheduler)
	s.cfg, s.lease, s.base, s.demo = o.cfg, o.lease, o.base, o.demo
	s.desks = slices.Grow(s.desks[:0], len(o.desks))[:len(o.desks)]
	for i := range s.desks {
		s.desks[i].queue.CopyFrom(&o.desks[i].queue)
		s.desks[i].asked = o.desks[i].asked
	}
	s.at, s.sent, s.size = append(s.at[:0], o.at...), append(s.sent[:0], o.sent...), append(s.size[:0], o.size...)
	s.Starts.CopyFrom(&o.Starts)
	s.racks, s.job, s.gpus = s.racks[:0], sim.NoJob, [sets.N][]cluster.GPU{}
}

// Follow names the rule that is demonstrated, by itself or as the policy has it.
func (s *scheduler) Follow(baseline string) (err error) {
	s.demo, err = rules().Followed(policyName, baseline)
	return err
}

// Demonstrate writes the choice of the rule.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) { s.demo.Write(action, s, v) }
