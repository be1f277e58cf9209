package queueing

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// line is a policy that never preempts: it starts waiting jobs in key order.
type line struct {
	know  know.Set
	key   plan.Key
	block bool       // stop at the first that does not fit
	put   places.Put // nil = as the placer does
	queue plan.Queue
	place *plan.Placer
	steps steps
}

// NewFIFO is first in, first out: jobs start in order of arrival, and the first that does not
// fit blocks all behind it. Parameters: FIFOParams.
//
//  1. Waiting jobs stand in order of arrival (submit, id).
//  2. At each event the first starts if its GPUs are free, and so on down the queue.
//  3. The first that does not fit blocks all behind it; no job is preempted.
func NewFIFO(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{key: arrival, block: true, place: plan.NewPlacer(rule)}
	return l.walled(s)
}

// NewFitFirst takes jobs in order of arrival and starts every one that fits, ahead of jobs that do
// not: backfilling without a reservation, so wide jobs may starve. Parameter: place, see
// places.Params.
//
//  1. Waiting jobs stand in order of arrival.
//  2. At each event every job that fits starts, in that order; a job that does not fit is passed
//     over.
//  3. No job is preempted and none has a reservation.
func NewFitFirst(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{key: arrival, place: plan.NewPlacer(rule)}
	where := places.Read(s)
	l.put = where.Put()
	return where.Paced(l), s.Err()
}

// NewSJF is shortest job first without preemption. Parameters: SJFParams.
//
//  1. Waiting jobs stand by run time (work / GPUs; by=estimate: the run's estimate), the shortest
//     first.
//  2. At each event each job that fits starts, in that order; with block=true the first that does
//     not fit blocks the others.
//  3. No job is preempted.
func NewSJF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{know: know.Work, key: runTime}
	if s.Enum("by", "work", "estimate") == "estimate" {
		l.know, l.key = know.Estimate, guessedTime
	}
	l.block, l.place = s.Bool("block", false), plan.NewPlacer(rule)
	return l.walled(s)
}

// FIFOParams describes the settings of fifo for the catalogue.
const FIFOParams = places.Params + vcParam

const vcParam = `
vc         true: a queue for each virtual cluster, blocked by its first job, which starts within the quota of --quotas; needs block=true`

// SJFParams describes the settings of sjf for the catalogue.
const SJFParams = `by         work: the true run time (clairvoyant) | estimate: the estimated one, of --predict or --estimate-error
block      true: stop at the first job that does not fit | false: pass over it
` + places.Params + vcParam

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

func runTime(v *sim.View, j sim.JobID) float64 { return v.Job(j).Work() / v.Job(j).Width() }

// Knows implements sim.Policy.
func (l *line) Knows() know.Set { return l.know }

// Decide implements sim.Policy.
func (l *line) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	l.queue.Follow(v, l.key, nil)
	return l.serve(v, out)
}

// serve starts jobs of the queue in its order.
func (l *line) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	if !l.block && l.put == nil {
		return plan.Fill(v, &l.queue, l.place, nil, out)
	}
	l.place.Begin(v)
	l.queue.Open()
	for {
		j := l.queue.Best()
		if j == sim.NoJob {
			return out
		}
		if gpus, ok := l.gpus(v, j); ok {
			l.queue.Remove(j)
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		} else if l.block {
			return out
		} else {
			l.queue.Close(j)
		}
	}
}

func (l *line) gpus(v *sim.View, j sim.JobID) ([]cluster.GPU, bool) {
	return l.place.Put(l.put, v, j, l.queue.Demand(j))
}
