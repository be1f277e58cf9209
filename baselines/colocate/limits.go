package colocate

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Limits states below which weight waiting jobs of a demand may still find GPUs in a decision: as
// GPUs are only given out, what does not fit does not fit later, and what needs more does not
// either. The zero value is ready.
type Limits struct{ of []limit }

type limit struct {
	demand *plan.Demand
	below  float64
}

// Open makes every demand a candidate again.
func (l *Limits) Open() { l.of = l.of[:0] }

// Within is the bound of a demand for plan.Queue.Within.
func (l *Limits) Within(d *plan.Demand) float64 {
	for i := range l.of {
		if l.of[i].demand == d {
			return l.of[i].below
		}
	}
	return math.Inf(1)
}

// Close passes over the jobs of a demand whose weight, a whole number, is at least the weight of
// one that found none.
func (l *Limits) Close(d *plan.Demand, weight float64) {
	for i := range l.of {
		if l.of[i].demand == d {
			l.of[i].below = weight - 1
			return
		}
	}
	l.of = append(l.of, limit{d, weight - 1})
}

// Unknown is the need of a job of unknown memory and which gets GPUs of its own.
const Unknown = math.MaxInt32

// Capacity is the memory of a GPU in MiB, math.MaxInt64 where it is not constrained.
func Capacity(t *cluster.Topology, g cluster.GPU) int64 {
	if c := t.GPUMiB(t.Machine(g)); c > 0 {
		return c
	}
	return math.MaxInt64
}

// AllKnown reports whether the memory of all jobs on a GPU is known.
func AllKnown(v *sim.View, g cluster.GPU) bool {
	for _, j := range v.On(g) {
		if v.Job(j).GPUMiB() == 0 {
			return false
		}
	}
	return true
}

// Waits reports the job that an event makes wait, NoJob where it makes none: it arrived, or was
// stopped, or ran out of memory.
func Waits(v *sim.View, ev *sim.Event) sim.JobID {
	switch ev.Kind {
	case sim.Arrive, sim.Drained, sim.Fail, sim.OutOfMemory:
		if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
			return ev.Job
		}
	}
	return sim.NoJob
}
