package pick

import (
	"cmp"
	"fmt"
	"slices"

	"tarry/baselines/picking"
	"tarry/baselines/queueing"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// scheduler is RLScheduler's protocol with an agent that picks.
type scheduler struct {
	cfg    *Config
	picker *queueing.Picker
	read   picking.Reader
	shown  []int            // places in the picker's queue of the jobs in the list, ascending
	all    []waiter         // scratch
	jobs   []sim.JobID      // scratch
	demo   queueing.Chooser // the demonstration policy; nil = none
	knows  know.Set         // of who is demonstrated
}

// waiter is a job that waits, by its place in the queue.
type waiter struct {
	at    int
	asked sim.Time
}

func newScheduler(c *Config) *scheduler {
	return &scheduler{cfg: c, picker: queueing.NewPicker(c.Backfill, cluster.BestFit)}
}

// Knows is the requests, and what they give away where a run has none: without a predictor they are
// the run times.
func (s *scheduler) Knows() know.Set { return s.cfg.Declares(know.Estimate) | s.knows }

// Begin takes in an instant.
func (s *scheduler) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.picker.Begin(v)
	return out
}

// Ask resumes the instant up to the next pick out of two jobs or more. A single job is picked
// without a question.
func (s *scheduler) Ask(v *sim.View) bool {
	for s.picker.Next(v) {
		if waiting := s.picker.Waiting(); len(waiting) > 1 {
			s.list(v, waiting)
			return true
		}
		s.picker.Pick(0)
	}
	return false
}

// list chooses the jobs that are shown: all, or the jobs with the shortest requests.
func (s *scheduler) list(v *sim.View, waiting []sim.JobID) {
	s.shown = s.shown[:0]
	if len(waiting) <= s.cfg.Jobs {
		for i := range waiting {
			s.shown = append(s.shown, i)
		}
		return
	}
	s.all = s.all[:0]
	for i, j := range waiting {
		s.all = append(s.all, waiter{i, queueing.Asked(v, j)})
	}
	slices.SortFunc(s.all, func(a, b waiter) int {
		return cmp.Or(cmp.Compare(a.asked, b.asked),
			cmp.Compare(a.at, b.at))
	})
	for _, w := range s.all[:s.cfg.Jobs] {
		s.shown = append(s.shown, w.at)
	}
	slices.Sort(s.shown)
}

// Observe writes what is known of the queue and of the jobs in the list.
func (s *scheduler) Observe(v *sim.View, obs []float64, mask []bool) {
	waiting := s.picker.Waiting()
	s.read.Look(v, waiting)
	var x picking.Inputs
	for i := range s.cfg.Jobs {
		row := obs[queueLen+i*rowLen:][:rowLen]
		if mask[i] = i < len(s.shown); !mask[i] {
			clear(row)
			continue
		}
		j := waiting[s.shown[i]]
		s.read.Read(v, j, queueing.Asked(v, j), &x)
		write(row, &x)
	}
	copy(obs, x[picking.Free:])
}

// Answer picks the agent's job; nil = as the reference.
func (s *scheduler) Answer(v *sim.View, action []float64) {
	if action == nil {
		s.picker.Pick(queueing.Least(v, &s.read, s.cfg.Reference, s.cfg.Reference.Weights(), s.picker.Waiting()))
		return
	}
	s.picker.Pick(s.shown[int(action[0])])
}

// Finish gives the decisions of the instant.
func (s *scheduler) Finish(_ *sim.View, out []sim.Decision) []sim.Decision {
	return s.picker.Decisions(out)
}

// Clone gives an independent copy.
func (s *scheduler) Clone() schedenv.Scheduler {
	c := *s
	c.picker, c.read, c.shown, c.all = s.picker.Copied(), s.read.Clone(), nil, nil
	c.jobs = nil
	return &c
}

// CopyFrom makes s equal to another one.
func (s *scheduler) CopyFrom(other schedenv.Scheduler) {
	o := other.(*scheduler)
	old := *s
	*s = *o
	s.picker, s.read, s.shown, s.all, s.jobs = old.picker, old.read, old.shown[:0], old.all[:0], old.jobs[:0]
	s.picker.CopyFrom(o.picker)
}

// Follow names the baseline that is demonstrated: picked, with any score.
func (s *scheduler) Follow(baseline string) error {
	_, fresh, err := s.cfg.Policies.Parse(baseline, cluster.BestFit)
	if err != nil {
		return err
	}
	p, err := fresh()
	if err != nil {
		return err
	}
	if s.demo, err = queueing.Picks(p); err != nil {
		return fmt.Errorf("%s cannot be followed: %w", baseline, err)
	}
	s.knows = s.cfg.Declares(p.Knows())
	return nil
}

// Demonstrate picks as the baseline would out of the list.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	if action[0] = 0; s.demo == nil {
		return
	}
	waiting := s.picker.Waiting()
	s.jobs = s.jobs[:0]
	for _, at := range s.shown {
		s.jobs = append(s.jobs, waiting[at])
	}
	action[0] = float64(s.demo.Choose(v, s.jobs))
}
