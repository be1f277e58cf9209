package queueing

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// NewGittins is the Gittins policy for one server, applied to gangs: at every event the running set
// is rebuilt in the order of the Gittins rank of the law that the run's predictor gives (sim/law)
// at the progress of each job. With predictor global it is the rank of all jobs' law, with size and
// user-size of like jobs' law. Without a predictor run times are known, and it is srtf. Gittins, J.
// R. Stat. Soc. B 41(2), 1979. Parameters: GittinsParams. With a predictor
// ranks may rise while jobs run, so every event costs a rank for each running job.
//
// We differ: ranks are looked at when something happens, not all the time, and margin keeps who
// runs.
//
//  1. The rank of a job of age a is min over d > 0 of E[min(X, a + d) - a | X > a] / P(X <= a + d
//     | X > a), with X the run time under the predictor's law.
//  2. At each event all jobs stand by rank, the least first.
//  3. Down that list each job is chosen whose GPUs fit in what is left of the cluster; the others
//     are preempted.
func NewGittins(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	per := s.Enum("per", "time", "gpu-time")
	margin, where := s.Float("margin", 0, 0, 100), places.Read(s)
	r := &remaining{know: know.Estimate | know.Done, place: plan.NewPlacer(rule), byLaw: true,
		rebuild: plan.Rebuild{Falls: true, Put: where.Refusing()}}
	r.rebuild.Key = ordered(plan.GittinsRank, per == "gpu-time", margin)
	return where.Paced(r), s.Err()
}

// GittinsParams describes the settings of gittins for the catalogue.
const GittinsParams = `per        time | gpu-time: the rank, or the rank x GPUs
` + marginParam + places.Params

const marginParam = `margin     a running job keeps its GPUs unless another's value is below its own / exp(margin)
`

// QSSFParams describes the settings of qssf for the catalogue.
const QSSFParams = `block      true: stop at the first job that does not fit | false: pass over it
` + places.Params + vcParam

// NewQSSF is quasi-shortest-service-first of Helios, Hu et al., SC 2021: no preemption, the least
// predicted run time x GPUs first. Parameters: QSSFParams.
//
// In Helios every virtual cluster has machines and a queue of its own: vc=true, where quotas count
// GPUs, wherever they are.
//
// We differ: the predictor is the run's, where Helios has a rolling mean of like jobs and
// gradient-boosted trees.
//
//  1. Waiting jobs stand by predicted run time x GPUs, the least first.
//  2. At each event each job that fits starts, in that order; the first that does not fit blocks
//     the others (block=false: it is passed over).
//  3. No job is preempted; with vc=true each virtual cluster has a queue within its quota.
func NewQSSF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &line{know: know.Estimate, key: guessedService, block: s.Bool("block", true), place: plan.NewPlacer(rule)}
	return l.walled(s)
}

func guessedService(v *sim.View, j sim.JobID) float64 { return v.Job(j).Estimate() }

func guessedTime(v *sim.View, j sim.JobID) float64 { return v.Job(j).Estimate() / v.Job(j).Width() }

// ordered makes the key of a predicted time: its logarithm, the logarithm of its product with the
// GPUs where service is set, less the margin of who runs.
func ordered(of plan.Key, service bool, margin float64) plan.Key {
	return func(v *sim.View, j sim.JobID) float64 {
		x := math.Max(1e-6, of(v, j))
		if service {
			x *= v.Job(j).Width()
		}
		if x = math.Log(x); v.Run(j).State() == sim.Running {
			x -= margin
		}
		return x
	}
}
