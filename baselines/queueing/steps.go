package queueing

import (
	"slices"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// steps is what a line keeps when it is driven in steps, as a plan.Evicting: for a caller that
// evicts running jobs.
type steps struct {
	v       *sim.View
	starts  []sim.Decision
	victims []sim.JobID
	waits   plan.Waiters
}

func (s *steps) clone() steps { return steps{waits: s.waits.Clone()} }

// Copied implements plan.Evicting.
func (l *line) Copied(plan.Evicting) plan.Evicting { return l.Clone().(*line) }

// Begin takes in who waits.
func (l *line) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s := &l.steps
	s.v, s.starts, s.victims = v, s.starts[:0], s.victims[:0]
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting && !l.queue.Has(ev.Job) {
				l.enter(v, ev.Job)
			}
		}
	}
	l.place.Begin(v)
	return out
}

func (l *line) enter(v *sim.View, j sim.JobID) {
	l.queue.Add(v, j, l.key(v, j), 0)
	l.steps.waits.Enter(v, l.queue.Demand(j), j)
}

// Contest plans starts in order until none fits, or the first does not where it blocks the
// others.
func (l *line) Contest(v *sim.View) {
	l.queue.Open()
	for {
		j := l.queue.Best()
		if j == sim.NoJob {
			return
		}
		gpus, ok := l.gpus(v, j)
		switch {
		case ok:
			l.steps.waits.Leave(l.queue.Demand(j))
			l.queue.Remove(j)
			l.steps.starts = append(l.steps.starts, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		case l.block:
			return
		default:
			l.queue.Close(j)
		}
	}
}

// Blocked implements plan.Evicting.
func (l *line) Blocked() (sim.JobID, bool) {
	l.queue.Open()
	j := l.queue.Best()
	return j, j != sim.NoJob
}

// Order is the time that the job takes, or its place in the order of arrival.
func (l *line) Order(v *sim.View, j sim.JobID) float64 {
	if l.know == know.Nothing {
		return float64(j)
	}
	return l.key(v, j)
}

// Evictable implements plan.Evicting. Jobs that share GPUs are left alone.
func (l *line) Evictable(v *sim.View, j sim.JobID) bool {
	return v.Run(j).State() == sim.Running && l.queue.Note(v, j).ShareMilli == 1000 && !slices.Contains(l.steps.victims, j)
}

// Evict implements plan.Evicting.
func (l *line) Evict(v *sim.View, j sim.JobID) {
	l.steps.victims = append(l.steps.victims, j)
	if v.Run(j).CheckpointTime() == 0 {
		l.place.Vacate(v, j, l.queue.Note(v, j))
	}
}

// Finish gives the decisions; victims without a checkpoint to write choose last.
func (l *line) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	s := &l.steps
	for _, j := range s.victims {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
	}
	for _, j := range s.victims {
		if v.Run(j).CheckpointTime() == 0 {
			l.enter(v, j)
		}
	}
	if len(s.victims) > 0 {
		l.Contest(v)
	}
	return append(out, s.starts...)
}

// Waiting implements plan.Evicting.
func (l *line) Waiting(dst []plan.Wanted) []plan.Wanted { return l.steps.waits.Append(l.steps.v, dst) }
