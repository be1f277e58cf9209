package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A model is an engine for what may follow an instant of a run: the jobs in the system as they stand,
// on their GPUs, with their progress, leases and pauses, without arrivals and outages; services keep
// their load and replicas. The work of
// each is given, so that a planner can draw it: a model gives no more than the view that it
// follows. Its speeds are the speeds of the run's model.

// Follow makes an engine a model of the present instant of a run, before its decisions: nothing must
// have been planned on the view's free list. The engine is the zero value, or has followed the run
// before. work is the whole work of each job in the system, microseconds of one reference GPU; a
// job has at least a microsecond left. A job whose true work is given ends as in the run, to the
// bit. It is an error with a stream of jobs, and with a model whose speeds are coupled or depend on
// progress.
func (e *Engine) Follow(v *View, work func(JobID) Time) error {
	live := v.e
	if e.top == nil {
		if err := e.model(live); err != nil {
			return err
		}
	}
	for i := range e.runs {
		e.discard(&e.runs[i])
	}
	e.recycle()
	from, past := live.state, e.past
	from.predictor, from.outageSource, from.past, from.laws, from.fleet.operator = nil, nil, nil, nil, nil
	e.copyFrom(&from)
	for i := range e.runs {
		r, gpus := &e.runs[i], live.runs[i].gpus
		if r.gpus = nil; len(gpus) > 0 {
			e.hold(r, gpus)
		}
	}
	if e.past, e.laws = past, live.laws; live.predictor != nil {
		e.predictor = told{}
	}
	e.nextSubmit, e.hasOutage = Never, false
	e.fleet.wake, e.fleet.shift = Never, Never
	e.areaJobs, e.areaAt = area{}, e.now
	e.touched, e.earliest = e.touched[:0], e.now+1
	e.lifted, e.leftBeside, e.present, e.failed = 0, e.leftBeside[:0], e.present[:0], e.failed[:0]
	e.view.knows = v.knows
	for i := range e.runs {
		if r := &e.runs[i]; e.inRow(int32(i)) && !e.isReplica(r.id) {
			if err := e.suppose(r, &live.jobs[r.id], work(r.id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// model prepares a model of a run.
func (e *Engine) model(live *Engine) error {
	if live.own != nil {
		return errors.New("sim: a model of a run of streamed jobs, expected jobs that are held")
	}
	if err := foreseeable(live.cfg.Speed); err != nil {
		return fmt.Errorf("sim: a model of a run: %w", err)
	}
	cfg := live.cfg
	w := *cfg.Workload
	w.Jobs = slices.Clone(w.Jobs)
	cfg.Workload, cfg.Predictor, cfg.Outages, cfg.Until, cfg.Check = &w, nil, nil, 0, false
	if cfg.Estimate == nil {
		cfg.Estimate = func(j JobID) Time { return live.jobs[j].Work }
	}
	fresh, err := New(cfg)
	if err != nil {
		return err
	}
	*e = *fresh
	e.view.e = e
	return nil
}

// foreseeable is an error where a model cannot follow a run at these speeds.
func foreseeable(m SpeedModel) error {
	if _, coupled := m.(Coupled); coupled {
		return errors.New("the speed of a job depends on who else runs, expected speeds that do not")
	}
	if AsProgressive(m) != nil {
		return errors.New("the speed of a job depends on its progress, expected speeds that do not")
	}
	return nil
}

// told stands for a predictor that has given its laws.
type told struct{ Predictor }

// Ended implements Predictor.
func (told) Ended(JobID, *Job, Time) {}

// Clone implements Predictor.
func (t told) Clone() Predictor { return t }

// inRow reports whether a job in the system has the row.
func (e *Engine) inRow(row int32) bool {
	r := &e.runs[row]
	switch r.state {
	case Waiting, Running, Draining:
		return e.at[r.id] == row
	}
	return false
}

// suppose gives a job of a model its whole work.
func (e *Engine) suppose(r *run, from *Job, work Time) error {
	job := &e.jobs[r.id]
	*job = *from
	if work == from.Work {
		return nil
	}
	work = max(work, Time(math.Ceil(float64(from.Work)-e.leftNow(r)))+1)
	if job.Iterations > 0 && job.IterS == 0 { // it is the same job, longer or shorter
		job.IterS = from.Work.Seconds() / float64(job.Iterations)
	}
	if r.state == Running { // else its speed is of a run that has ended
		r.settle(e.now, e.every)
	}
	more := float64(work - from.Work)
	job.Work = work
	r.left, r.saved, r.fell = r.left+more, r.saved+more, r.fell+more
	if r.state != Running {
		return nil
	}
	if err := e.ask(r, e.query(r.id, r, r.gpus)); err != nil {
		return fmt.Errorf("sim: model: %w", err)
	}
	e.schedule(r)
	return nil
}

// settler is a Policy that can state that it will change nothing any more unless a job comes: each
// job runs, and keeps its GPUs until it ends.
type settler interface {
	Policy
	Settled(v *View) bool
}

// PlayOut lets a policy decide from the instant on that a model follows, until every job has ended,
// or the policy states that it is Settled, at most instants times. It gives the sum of the times
// from there to the end of each job, in microseconds, +Inf where one of them does not end or the
// bound was met, and how often the policy decided.
func (e *Engine) PlayOut(p Policy, instants int) (sum float64, took int, err error) {
	var out []Decision
	ends, _ := p.(settler)
	for took < instants {
		out = p.Decide(&e.view, out[:0])
		took++
		if err := e.Apply(out); err != nil {
			return 0, took, fmt.Errorf("sim: model: %w", err)
		}
		if ends != nil && len(e.running) == e.inSystem && e.gpuUsed == nil && ends.Settled(&e.view) {
			return e.played() + e.toEnds(), took, nil
		}
		left := e.inSystem
		_, ok, err := e.Next()
		switch {
		case errors.As(err, new(standstill)):
			return math.Inf(1), took, nil
		case err != nil:
			return 0, took, fmt.Errorf("sim: model: %w", err)
		case !ok && left > 0:
			return math.Inf(1), took, nil
		case !ok:
			return e.played(), took, nil
		}
	}
	return math.Inf(1), took, nil
}

// played is the time that jobs have been in the system since the model followed its run.
func (e *Engine) played() float64 {
	return math.Ldexp(float64(e.areaJobs.hi), 64) + float64(e.areaJobs.lo)
}

// toEnds is the sum of the times until the running jobs end at their present speeds; +Inf where one
// stands still.
func (e *Engine) toEnds() float64 {
	sum := uint64(0)
	for _, j := range e.running {
		at := e.runs[e.at[j]].finishAt
		if at == Never {
			return math.Inf(1)
		}
		sum += uint64(at - e.now)
	}
	return float64(sum)
}
