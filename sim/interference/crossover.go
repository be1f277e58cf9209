package interference

import (
	"tarry/sim"
	"tarry/sim/param"
)

// crossover is CrossoverScheduler's law (Luo et al., arXiv 2103.07974), as it was inferred from the
// abstract: of two distributed jobs on the same GPUs one computes while the other communicates, an
// iteration of each in turn. With c and m the seconds that a job computes and communicates in an
// iteration alone, an iteration of the pair takes
//
//	P = max(c1+c2, c1+m1, c2+m2)        keep = (c + m) / P
//
// Beyond two jobs it is P = max(c1+...+cn, the longest c+m), which is ours and for two the same.
// The sharers of a GPU compute at most all of the time: the sum of c/P is at most 1. Jobs with
// iterations of very different lengths do not go together: the shorter waits for the longer.
//
// Iterations come from the telemetry of the model within, where it has one, and otherwise from the
// job: IterS, or Work over Iterations, or 1 s on each GPU.
type crossover struct{}

func crossoverKind() Kind {
	return Kind{Name: "crossover", Form: "crossover", Doc: "one computes while the other communicates: max(c1+c2, " +
		"c1+m1, c2+m2) (CrossoverScheduler, 2021; inferred)",
		read: func(*param.Set, Opener) (law, error) { return crossover{}, nil }}
}

func (crossover) timed() {}

func (crossover) keep(me *sharer, others []sharer) float64 {
	own := me.compute + me.exchange
	if !(own > 0) {
		return 1
	}
	period, computing := own, me.compute
	for i := range others {
		computing += others[i].compute
		period = max(period, others[i].compute+others[i].exchange)
	}
	return own / max(period, computing)
}

// times gives the seconds in which a job computes and communicates in an iteration, from a query of
// the model within and its answer.
func (l *Layer) times(q *sim.Query, s sim.Speed) (compute, exchange float64) {
	l.told = sim.Telemetry{}
	if l.meter != nil && l.meter.Telemetry(q, &l.told) && l.told.StepS > 0 {
		return float64(float64(max(1, l.told.AccumSteps)) * (l.told.StepS - l.told.SyncS)), l.told.SyncS
	}
	if !(s.Rate > 0) {
		return 0, 0
	}
	work := float64(len(q.GPUs))
	switch j := q.Job; {
	case j.IterS > 0:
		work = j.IterS
	case j.Iterations > 0:
		work = j.Work.Seconds() / float64(j.Iterations)
	}
	if q.Batch > 0 {
		work *= q.Batch
	}
	all := work / s.Rate
	return float64(all * s.ComputeFrac), float64(all * (1 - s.ComputeFrac))
}

// timesAlone is times of the job that the layer is asked about, with the answer below.
func (l *Layer) timesAlone(q *sim.Query, s sim.Speed) (compute, exchange float64) {
	l.query = *q
	l.Ask(&l.query)
	return l.times(&l.query, s)
}

// timesOf is times of a peer; 0 where the model within has no answer for it.
func (l *Layer) timesOf(p *sim.Peer) (compute, exchange float64) {
	l.query = sim.Query{Job: p.Job, ID: p.ID, GPUs: p.GPUs, Knobs: p.Knobs}
	l.Ask(&l.query)
	s, err := l.below.Speed(&l.query)
	if err != nil {
		return 0, 0
	}
	return l.times(&l.query, s)
}
