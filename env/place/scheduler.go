package place

import (
	"cmp"

	"tarry/env/schedenv"
	"tarry/env/schedenv/sets"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// scheduler starts waiting jobs where an agent places them.
type scheduler struct {
	sets.Starts
	cfg   *Config
	lease sim.Time
	queue plan.Queue
	done  bool // the agent starts no more at this instant

	jobs []sim.JobID             // the candidates
	gpus [][sets.N][]cluster.GPU // of each candidate; nil = it does not fit so
	base *rule                   // in the agent's place
	demo *rule                   // the rule that is demonstrated; nil = none
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

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.queue.Follow(v, arrival, nil)
	s.Starts.Begin(v)
	s.done = false
	return out
}

// Ask looks for jobs that fit.
func (s *scheduler) Ask(v *sim.View) bool {
	s.jobs, s.gpus = s.jobs[:0], s.gpus[:0]
	if s.done {
		return false
	}
	s.queue.Open()
	for len(s.jobs) < s.cfg.Candidates {
		j := s.queue.Best()
		if j == sim.NoJob {
			break
		}
		s.queue.Close(j)
		var at [sets.N][]cluster.GPU
		if s.try(v, s.queue.Demand(j), &at) {
			s.jobs, s.gpus = append(s.jobs, j), append(s.gpus, at)
		}
	}
	return len(s.jobs) > 0
}

// try finds the sets of GPUs of a demand, and takes none of them; false = it does not fit.
func (s *scheduler) try(v *sim.View, d *plan.Demand, at *[sets.N][]cluster.GPU) bool {
	for k := range at {
		if gpus, ok := s.Find(v, d, k); ok {
			at[k] = gpus
		} else if k == sets.Packed {
			return false
		}
	}
	return true
}

// Answer starts a job; nil = as the rule in the agent's place does.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	if action == nil {
		s.choose(v, s.base.Choose(s, v))
		return
	}
	s.choose(v, int(action[0]))
}

// choose takes a choice: 0 = no more, else a candidate's set.
func (s *scheduler) choose(v *sim.View, choice int) {
	if choice == 0 {
		s.done = true
		return
	}
	i, set := (choice-1)/sets.N, (choice-1)%sets.N
	s.Start(v, s.jobs[i], s.queue.Demand(s.jobs[i]), s.gpus[i][set])
	s.queue.Remove(s.jobs[i])
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
	s.queue.CopyFrom(&o.queue)
	s.Starts.CopyFrom(&o.Starts)
	s.jobs, s.gpus, s.done = s.jobs[:0], s.gpus[:0], false
}

// Follow names the rule that is demonstrated, by itself or as the policy has it.
func (s *scheduler) Follow(baseline string) (err error) {
	s.demo, err = rules().Followed(policyName, baseline)
	return err
}

// Demonstrate writes the choice of the rule.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) { s.demo.Write(action, s, v) }
