package interference

import (
	"tarry/sim/param"
	"tarry/sim/stages"
)

// interleave is Muri's law (Zhao et al., SIGCOMM 2022): jobs on the same GPUs load, compute and
// exchange gradients in turn, an iteration of each in a round, in the best order of up to four jobs
// (package stages). With T the time of the group and t the time of the job alone
//
//	keep = t / T
//
// More than four jobs take turns: T is the sum of all t. The factors by which groups are slower
// than their round are from measurements by Muri's authors, and the factor of four jobs (1.37) is
// below the factor of three (1.5): a fourth job may speed the others up, which is theirs and not
// ours.
//
// Stages come from the telemetry of the model within, where it has them (speed model muri);
// otherwise there are two, as crossover sees them.
type interleave struct{ order stages.Order }

func stagesKind() Kind {
	return Kind{Name: "stages", Form: "stages[:order=worst]", Doc: "loading, computing and exchanging gradients in " +
		"turn, in the best order (Muri, 2022)",
		Params: "order  of the jobs' stages: best: the shortest iteration | worst: the longest",
		read: func(s *param.Set, _ Opener) (law, error) {
			if s.Enum("order", "best", "worst") == "worst" {
				return interleave{stages.Worst}, nil
			}
			return interleave{stages.Best}, nil
		}}
}

func (interleave) timed() {}

func (l interleave) keep(me *sharer, others []sharer) float64 {
	own := me.compute + me.exchange
	if !(own > 0) || len(others) == 0 {
		return 1
	}
	var times [stages.Most]stages.Times
	times[0] = me.stage
	sum := own
	for i := range others {
		sum += others[i].compute + others[i].exchange
		if i+1 < stages.Most {
			times[i+1] = others[i].stage
		}
	}
	t := sum
	if len(others) < stages.Most {
		t = stages.GroupS(times[:len(others)+1], 0, l.order)
	}
	if !(t > own) {
		return 1
	}
	return own / t
}

// staged gives the stages of the job that times was asked about last.
func (l *Layer) staged(compute, exchange float64) stages.Times {
	if t := &l.told; t.LoadS+t.ComputeS+t.ExchangeS > 0 {
		n := float64(max(1, t.AccumSteps))
		return stages.Times{float64(n * t.LoadS), float64(n * t.ComputeS), t.ExchangeS}
	}
	return stages.Times{stages.Compute: compute, stages.Exchange: exchange}
}
