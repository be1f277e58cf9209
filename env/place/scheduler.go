package place

import (
	"fmt"
	"strings"

	"tarry/env/schedenv"
	"tarry/env/schedenv/crossing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// sets is how many sets of GPUs a candidate has.
const sets = 4

// The sets, in the order in which they are shown.
const (
	packed = iota
	emptiest
	fragments
	quiet
)

// scheduler starts waiting jobs where an agent places them.
type scheduler struct {
	cfg    *Config
	lease  sim.Time
	queue  plan.Queue
	place  *plan.Placer
	starts []sim.Decision
	done   bool // the agent starts no more at this instant

	jobs []sim.JobID           // the candidates
	gpus [][sets][]cluster.GPU // of each candidate; nil = it does not fit so
	many crossing.Counts
	demo func(s *scheduler) int // the rule that is demonstrated; nil = none
}

func newScheduler(c *Config) *scheduler {
	return &scheduler{cfg: c, lease: c.Lease(), place: plan.NewPlacer(cluster.BestFit)}
}

// Knows is the speeds that the observation shows.
func (s *scheduler) Knows() know.Set { return know.Speed }

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.queue.Follow(v, arrival, nil)
	s.place.Begin(v)
	s.starts, s.done = s.starts[:0], false
	s.many.Begin(v)
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
		var at [sets][]cluster.GPU
		if s.try(v, s.queue.Demand(j), &at) {
			s.jobs, s.gpus = append(s.jobs, j), append(s.gpus, at)
		}
	}
	return len(s.jobs) > 0
}

// try finds the sets of GPUs of a demand, and takes none of them.
func (s *scheduler) try(v *sim.View, d *plan.Demand, at *[sets][]cluster.GPU) (some bool) {
	for k := range sets {
		gpus, ok := s.find(v, d, k)
		if !ok {
			if k == packed {
				return false
			}
			continue
		}
		at[k], some = gpus, true
		s.place.Return(v, d, gpus)
	}
	return some
}

// find takes one of the sets of GPUs of a demand.
func (s *scheduler) find(v *sim.View, d *plan.Demand, set int) ([]cluster.GPU, bool) {
	switch f := v.Free().Of(d.Type); {
	case set == emptiest:
		return s.place.Emptiest(v, d)
	case set == fragments:
		return s.place.Fragments(v, d)
	case set == quiet && f != nil && d.ShareMilli == 1000 && f.Largest(cluster.LevelMachine) < int(d.GPUs):
		return s.place.On(v, d, s.many.Fewest(f)...)
	}
	return s.place.Place(v, d)
}

// idle reports whether no job runs, as things stand: then the agent must start one.
func (s *scheduler) idle(v *sim.View) bool {
	return len(s.starts) == 0 && len(v.Running()) == 0 && v.Draining() == 0
}

// Answer starts a job; nil = the first one, packed.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	at := 1
	if action != nil {
		at = int(action[0])
	}
	s.choose(v, at)
}

// choose takes a choice: 0 = no more, else a candidate's set.
func (s *scheduler) choose(v *sim.View, choice int) {
	if choice == 0 {
		s.done = true
		return
	}
	j, gpus := s.jobs[(choice-1)/sets], s.gpus[(choice-1)/sets][(choice-1)%sets]
	s.place.Take(v, gpus, s.queue.Demand(j))
	s.queue.Remove(j)
	s.many.Add(v.Topology(), gpus)
	s.starts = append(s.starts, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// Finish gives the starts of the instant.
func (s *scheduler) Finish(_ *sim.View, out []sim.Decision) []sim.Decision {
	return append(out, s.starts...)
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
	s.cfg, s.lease, s.demo = o.cfg, o.lease, o.demo
	s.queue.CopyFrom(&o.queue)
	s.place.CopyFrom(o.place)
	s.starts, s.jobs, s.gpus, s.done = s.starts[:0], s.jobs[:0], s.gpus[:0], false
}

// Follow names the rule that is demonstrated, by itself or as the policy has it.
func (s *scheduler) Follow(baseline string) error {
	r, ok := ruleNamed(strings.TrimPrefix(baseline, policyName+":rule="))
	if !ok {
		return fmt.Errorf("%s cannot be followed, expected one of %s", baseline, strings.Join(ruleNames(), ", "))
	}
	s.demo = r.choose
	return nil
}

// Demonstrate writes the choice of the rule.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	if action[0] = 0; s.demo != nil {
		action[0] = float64(s.demo(s))
	}
}
