package sim

import (
	"errors"
	"slices"

	"tarry/sim/cluster"
)

// Snapshot is the complete state of a run between two instants. It can be restored any number
// of times into engines of the same Config; the runs that follow are identical.
// A run of streamed jobs cannot be restored.
type Snapshot struct {
	state
	streamed bool
}

// Snapshot copies the state; it is taken after Apply, before the first Next, or between Next and
// Apply, if nothing was planned on the view's free list. In the last case the run continues from a
// Restore with the decisions of that instant, on the view that Next gave.
func (e *Engine) Snapshot() *Snapshot {
	s := &Snapshot{streamed: e.own != nil}
	s.free = cluster.NewFree(e.top)
	s.copyFrom(&e.state)
	s.phases = e.savePhases(s.phases[:0])
	for i := range s.runs {
		s.runs[i].gpus = slices.Clone(s.runs[i].gpus)
	}
	return s
}

// copyFrom makes the state equal to another one, in its own memory where that is large enough, without
// an error. The GPUs of runs are left to the caller.
func (s *state) copyFrom(from *state) {
	was := *s
	*s = *from
	s.err = nil
	s.at = append(was.at[:0], from.at...)
	s.runs = append(was.runs[:0], from.runs...)
	s.own = append(was.own[:0], from.own...)
	s.vacant = append(was.vacant[:0], from.vacant...)
	s.past = append(was.past[:0], from.past...)
	s.leaving = append(was.leaving[:0], from.leaving...)
	s.running = append(was.running[:0], from.running...)
	s.laws = append(was.laws[:0], from.laws...)
	s.special = append(was.special[:0], from.special...)
	s.specialIdle = append(was.specialIdle[:0], from.specialIdle...)
	s.timers = append(was.timers[:0], from.timers...)
	s.used = append(was.used[:0], from.used...)
	s.owner = append(was.owner[:0], from.owner...)
	s.gpuUsed = append(was.gpuUsed[:0], from.gpuUsed...)
	s.down = append(was.down[:0], from.down...)
	s.outages = append(was.outages[:0], from.outages...)
	s.cordoned = append(was.cordoned[:0], from.cordoned...)
	s.cpuUsed = append(was.cpuUsed[:0], from.cpuUsed...)
	s.memUsed = append(was.memUsed[:0], from.memUsed...)
	s.batch = append(was.batch[:0], from.batch...)
	s.phases = append(was.phases[:0], from.phases...)
	s.leftBeside = append(was.leftBeside[:0], from.leftBeside...)
	if from.outageSource != nil {
		s.outageSource = from.outageSource.Clone()
	}
	if from.predictor != nil {
		s.predictor = from.predictor.Clone()
	}
	s.machines = was.machines
	s.machines.copyFrom(&from.machines)
	s.fleet = was.fleet
	s.fleet.copyFrom(&from.fleet)
	s.free, s.mates, s.events = was.free, was.mates, was.events
	s.free.CopyFrom(from.free)
	s.mates.copyFrom(&from.mates)
	s.events.copyFrom(&from.events)
}

// Restore sets the engine to a snapshot of a run of the same Config.
func (e *Engine) Restore(s *Snapshot) error {
	if s.streamed || e.own != nil {
		return errors.New("sim: a run of streamed jobs cannot be restored, expected jobs that are held")
	}
	for i := range e.runs {
		e.discard(&e.runs[i])
	}
	e.recycle() // so that a run restored again and again needs no more memory
	e.copyFrom(&s.state)
	for i := range e.runs {
		r, gpus := &e.runs[i], s.runs[i].gpus
		if r.gpus = nil; len(gpus) > 0 {
			e.hold(r, gpus)
		}
	}
	e.touched, e.earliest = e.touched[:0], e.now+1
	return e.replace()
}

// replace gives a coupled speed model the running jobs.
func (e *Engine) replace() error {
	if e.coupled == nil {
		return nil
	}
	e.coupled.Reset()
	for id := range JobID(e.next) {
		if r := e.of(id); len(r.gpus) > 0 && !r.out {
			q := e.query(id, r, r.gpus)
			if err := e.connect(q); err != nil {
				return err
			}
		}
	}
	e.touched = e.coupled.Touched(e.touched)[:0] // the saved rates hold
	e.loadPhases()
	return nil
}
