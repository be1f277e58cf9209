package asrpt

import (
	"math"

	"tarry/sim"
	"tarry/sim/plan"
)

// machine is a single machine that serves jobs by shortest remaining processing time first,
// preemptively. All is in whole numbers: work in GPU-microseconds, of which it does speed in a
// microsecond. Make it with newMachine.
type machine struct {
	speed int64
	at    sim.Time // up to here it has served
	left  plan.Heap[int64, sim.JobID]
}

func newMachine(gpus, jobs int) machine {
	return machine{speed: int64(gpus), left: plan.NewHeap[int64, sim.JobID](make([]int32, jobs))}
}

// add takes in a job at the instant up to which it has served.
func (m *machine) add(j sim.JobID, work int64) { m.left.Set(j, max(1, work)) }

// serve serves up to an instant and appends the jobs that are done by then, in order.
func (m *machine) serve(now sim.Time, done []sim.JobID) []sim.JobID {
	can := int64(math.MaxInt64)
	if dt := int64(now - m.at); dt < math.MaxInt64/m.speed {
		can = dt * m.speed
	}
	m.at = now
	for {
		j, left, ok := m.left.First()
		switch {
		case !ok:
			return done
		case left > can:
			m.left.Set(j, left-can)
			return done
		}
		can -= left
		m.left.Drop(j)
		done = append(done, j)
	}
}

// next is the first microsecond by which a job will be done if none comes, sim.Never when there is
// none.
func (m *machine) next() sim.Time {
	_, left, ok := m.left.First()
	if !ok {
		return sim.Never
	}
	if dt := (left-1)/m.speed + 1; dt < int64(sim.Never-m.at) {
		return m.at + sim.Time(dt)
	}
	return sim.Never
}

func (m *machine) clone() machine {
	c := *m
	c.left = m.left.Clone(nil)
	return c
}
