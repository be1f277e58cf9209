package queueing

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// line is a policy that never preempts: it starts waiting jobs in key order.
type line struct {
	know  sim.Knowledge
	key   plan.Key
	block bool // stop at the first that does not fit
	fresh bool // jobs that come together while no other waits go by their GPUs
	put   put  // nil = as the placer does
	queue plan.Queue
	place *plan.Placer
	steps steps
}

// NewFIFO is first in, first out: jobs start in order of arrival, and the first that does not
// fit blocks all behind it. Parameters: FIFOParams.
func NewFIFO(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{key: arrival, block: true, put: readPlace(s), place: plan.NewPlacer(rule)}
	return l.walled(s)
}

// NewFitFirst takes jobs in order of arrival and starts every one that fits, over the heads of
// those that do not: backfilling without a reservation, so wide jobs may starve. Parameter: place, see PlaceParams.
func NewFitFirst(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{key: arrival, put: readPlace(s), place: plan.NewPlacer(rule)}
	return l, s.Err()
}

// NewSJF is shortest job first without preemption. Parameters: SJFParams.
func NewSJF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{know: sim.KnowWork, key: runTime}
	if s.Enum("by", "work", "estimate") == "estimate" {
		l.know, l.key = sim.KnowEstimate, guessedTime
	}
	l.block, l.put, l.place = s.Bool("block", false), readPlace(s), plan.NewPlacer(rule)
	return l.walled(s)
}

// PlaceParams describes the setting place for the catalogue.
const PlaceParams = `place      any: the finest unit that has the GPUs now | consolidate: on the fullest machine with room if one can hold the
           job, else on wholly free machines; otherwise it waits | lowest: the same on the lowest machine with room (any)`

// FIFOParams describes the settings of fifo for the catalogue.
const FIFOParams = PlaceParams + vcParam

const vcParam = `
vc         true: a queue for each virtual cluster, blocked by its first job, which starts within the quota of --quotas; needs block=true (false)`

// SJFParams describes the settings of sjf for the catalogue.
const SJFParams = `by         work: the true run time, which nobody knows | estimate: the estimated one, of --predict or --estimate-error (work)
block      true: stop at the first job that does not fit | false: pass over it (false)
` + PlaceParams + vcParam

// put chooses and takes the GPUs of a job that starts.
type put = func(*sim.View, *plan.Placer, sim.JobID, *plan.Demand) ([]cluster.GPU, bool)

// readPlace reads place; nil = any.
func readPlace(s *param.Set) put {
	switch s.Enum("place", "any", "consolidate", "lowest") {
	case "consolidate":
		return func(v *sim.View, p *plan.Placer, _ sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
			return p.Consolidate(v, d)
		}
	case "lowest":
		return func(v *sim.View, p *plan.Placer, _ sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
			return p.Lowest(v, d)
		}
	}
	return nil
}

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

func runTime(v *sim.View, j sim.JobID) float64 { return v.Work(j) / v.Width(j) }

// Knows implements sim.Policy.
func (l *line) Knows() sim.Knowledge { return l.know }

// Decide implements sim.Policy.
func (l *line) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if l.fresh && l.queue.Len() == 0 {
		return l.afresh(v, out)
	}
	l.queue.Follow(v, l.key, nil)
	return l.serve(v, out)
}

// serve starts jobs of the queue in its order.
func (l *line) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	if !l.block && l.put == nil {
		return plan.Fill(v, &l.queue, l.place, out)
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
	if l.put != nil {
		return l.put(v, l.place, j, l.queue.Demand(j))
	}
	return l.place.Place(v, l.queue.Demand(j))
}
