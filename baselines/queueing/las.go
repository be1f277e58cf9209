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

// las rebuilds the running set at every round by attained service.
type las struct {
	quantum, starve sim.Time
	round           plan.Alarm // the next
	begins          bool       // it took the run over: this instant is a round
	attained        func(sim.RunInfo) sim.Time
	byTime          bool   // attained grows by time, not by GPU-time
	urgent          []bool // jobs that have starved once
	queue           plan.Queue
	place           *plan.Placer
	rebuild         plan.Rebuild
}

// NewLAS is least attained service in rounds: the running set is rebuilt at every multiple of the
// quantum while jobs wait, and who is not in it is preempted. Between rounds GPUs that become free
// are given out in the same order, without preemption. Parameters:
//
//	quantum_s  length of a round, 300; > 0
//	service    gpu-time (GPUs x run time) or time (run time alone)
//	starve_s   a job that has waited that long goes before all others until it ends, 3.6e6; inf = never
//
// Continuous least-attained-service degenerates to processor sharing among equals, hence rounds.
// The defaults are from the LAS baseline of Synergy (Mohan et al., OSDI 2022). We differ: there
// nothing starts between rounds. Nuyens and Wierman, "The Foreground-Background queue", Performance
// Evaluation 65 (2008), is the limit of a small quantum.
//
//  1. At each multiple of quantum_s all jobs stand by attained service, the least first; a job
//     that has waited starve_s goes before all others.
//  2. Down that list each job is chosen whose GPUs fit in what is left of the cluster; the others
//     are preempted.
//  3. Between rounds GPUs that come free are given out in the same order, without preemption.
func NewLAS(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	l := &las{place: plan.NewPlacer(rule)}
	l.quantum = sim.Seconds(s.Float("quantum_s", 300, 1e-6, 1e12))
	l.starve = sim.Never
	if x := s.Float("starve_s", 3.6e6, 0, math.Inf(1)); !math.IsInf(x, 1) {
		l.starve = sim.Seconds(x)
	}
	l.attained = sim.RunInfo.Service
	if s.Enum("service", "gpu-time", "time") == "time" {
		l.attained, l.byTime = sim.RunInfo.Time, true
	}
	l.rebuild.Key, l.rebuild.Bound, l.rebuild.Weight = l.key, l.bound, l.waitsSince
	where := places.Read(s)
	l.rebuild.Put = where.Refusing()
	return where.Paced(l), s.Err()
}

func (l *las) key(v *sim.View, j sim.JobID) float64 {
	if int(j) < len(l.urgent) && l.urgent[j] {
		return -1
	}
	return float64(l.attained(v.Run(j)))
}

// bound bounds the key of a running job: service grows as fast as time for each of its GPUs.
func (l *las) bound(v *sim.View, j sim.JobID, key float64, _ uint8) (most float64, slope int32, until sim.Time) {
	slope = 1
	switch {
	case key < 0:
		slope = 0
	case !l.byTime:
		slope = int32(len(v.Run(j).Held()))
	}
	return key, slope, sim.Never
}

// waitsSince is when a job began to wait, or begins to if it is preempted now.
func (l *las) waitsSince(v *sim.View, j sim.JobID) float64 {
	switch {
	case int(j) < len(l.urgent) && l.urgent[j]:
		return math.Inf(1)
	case v.Run(j).State() == sim.Waiting:
		return float64(v.Run(j).Since())
	}
	return float64(v.Now())
}

// promote puts the jobs that have starved before all others.
func (l *las) promote(v *sim.View) {
	if l.starve == sim.Never {
		return
	}
	if len(l.urgent) < v.NumJobs() {
		l.urgent = append(l.urgent, make([]bool, v.NumJobs()-len(l.urgent))...)
	}
	bound := float64(v.Now() - l.starve)
	l.queue.Open()
	for {
		j := l.queue.Within(func(*plan.Demand) float64 { return bound })
		if j == sim.NoJob {
			return
		}
		l.urgent[j] = true
		l.queue.Remove(j)
		l.queue.Add(v, j, -1, math.Inf(1))
	}
}

// Knows implements sim.Policy.
func (l *las) Knows() know.Set { return know.Nothing }

// Decide implements sim.Policy.
func (l *las) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	l.queue.Follow(v, l.rebuild.Key, l.rebuild.Weight)
	due := l.round.Rung(v.Now()) || l.begins
	l.begins = false
	if due {
		l.promote(v)
	}
	out = l.rebuild.Decide(v, &l.queue, l.place, due, out)
	// On an idle cluster the jobs that still wait cannot be placed: no round changes that.
	idle := len(v.Running())+v.Draining()+len(out) == 0
	if l.queue.Len() > 0 && l.round.At(v.Now()) == sim.Never && !idle {
		out = l.round.Set(v.Now(), (v.Now()/l.quantum+1)*l.quantum, out)
	}
	return out
}
