package main

import (
	"slices"

	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// turn is the scheduler of the environment, a policy with a question to the agent in the middle.
type turn struct {
	waiting      []sim.JobID // in order of arrival
	asked, small bool
}

// Knows declares what the scheduler reads about jobs.
func (q *turn) Knows() know.Set { return know.Nothing }

// Begin takes in what happened at this instant.
func (q *turn) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	q.asked, q.small = false, false
	for _, ev := range v.Events() {
		// new, or stopped by a fault
		if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting && !slices.Contains(q.waiting, ev.Job) {
			q.waiting = append(q.waiting, ev.Job)
		}
	}
	return out
}

// Ask reports whether there is something to choose.
func (q *turn) Ask(v *sim.View) bool { return !q.asked && len(q.waiting) > 1 && v.Free().Total() > 0 }

// Observe writes what the agent sees.
func (q *turn) Observe(v *sim.View, obs []float64, _ []bool) {
	obs[0], obs[1], obs[2] = schedenv.Share(float64(v.Free().Total()), float64(v.Topology().GPUs())), 0, 0
	if n := len(q.waiting); n > 0 { // none at the end of an episode
		obs[1] = schedenv.Squash(float64(n) / 8)
		if v.Job(q.waiting[0]).GPUs() <= v.Free().Total() {
			obs[2] = 1
		}
	}
}

// Answer takes the agent's action; nil is the rule before an episode begins.
func (q *turn) Answer(_ *sim.View, action []float64) {
	q.asked, q.small = true, action != nil && action[0] == 1
}

// Finish starts jobs until one does not fit.
func (q *turn) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	order := q.waiting
	if q.small {
		order = slices.Clone(q.waiting)
		slices.SortStableFunc(order, func(a, b sim.JobID) int { return v.Job(a).GPUs() - v.Job(b).GPUs() })
	}
	n := 0
	for ; n < len(order) && v.Job(order[n]).GPUs() <= v.Free().Total(); n++ {
		gpus, _ := v.Free().At(nil, v.Job(order[n]).GPUs(), cluster.LevelCluster, cluster.BestFit)
		for _, g := range gpus {
			v.Free().Take(g)
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: order[n], GPUs: gpus})
	}
	started := slices.Clone(order[:n])
	q.waiting = slices.DeleteFunc(q.waiting, func(j sim.JobID) bool { return slices.Contains(started, j) })
	return out
}

// Clone gives an independent copy, CopyFrom takes over the state of another.
func (q *turn) Clone() schedenv.Scheduler { c := *q; c.waiting = slices.Clone(q.waiting); return &c }

func (q *turn) CopyFrom(other schedenv.Scheduler) {
	o := other.(*turn)
	q.waiting, q.asked, q.small = append(q.waiting[:0], o.waiting...), o.asked, o.small
}
