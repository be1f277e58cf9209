// Package shares is the common ground of environments over the simulator in which an agent shares all
// GPUs among elastic jobs (tarry/Grow-v0, tarry/Limit-v0).
//
// Reading guide. List (list.go) follows the jobs in the system, begins an epoch with the jobs that have a
// place, and turns the counts that an agent gave into decisions. Share is a job in it, Rule (rules.go)
// a score by which workers are given out one by one.
package shares

import (
	"errors"
	"fmt"
	"math"

	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/plan"
)

// Share is a job in the list.
type Share struct {
	Job sim.JobID
	// Count is how many GPUs it is to have so far, Held how many it has.
	Count, Held int
	// Least and Most are its range, Step is the GPUs of a worker. A job for which no GPU type has room
	// has Most = Least: its speed on more is not known.
	Least, Most, Step int
	// Left is its work left by the run's estimate, in time of one reference GPU, >= 1; Speed its speed
	// by count. It must not be changed.
	Left  float64
	Speed []float64
}

// Next is how many GPUs the job's next worker has, 0 = it may have no more.
func (x *Share) Next() int {
	n := x.Step
	if x.Count == 0 {
		n = x.Least
	}
	if x.Count+n > x.Most {
		return 0
	}
	return n
}

// Faster is how much speed the job's next worker adds for each of its GPUs; 0 = it may have no more.
func (x *Share) Faster() float64 {
	n := x.Next()
	if n == 0 {
		return 0
	}
	return (x.Speed[x.Count+n] - x.Speed[x.Count]) / float64(n)
}

// Time is how long the job has left on a count.
func (x *Share) Time(count int) float64 { return x.Left / max(1e-9, x.Speed[count]) }

// Fastest is how long it has left on the count at which it is fastest.
func (x *Share) Fastest() float64 { return x.Time(plan.Peak(x.Speed)) }

// shareOf reads a job.
func (l *List) shareOf(v *sim.View, j sim.JobID) Share {
	c := l.curves.Counts(v, j)
	x := Share{Job: j, Speed: c.Speed, Least: c.Lo, Most: c.Hi, Step: c.Unit}
	if v.Run(j).State() == sim.Running {
		x.Held = len(v.Run(j).Held())
	}
	if x.Left = v.Job(j).Estimate() - v.Run(j).Done(); !(x.Left >= 1) || math.IsInf(x.Left, 0) {
		x.Left = 1
	}
	return x
}

// Defaults is the default scenario: 16 GPUs, jobs that run on one GPU up to four times what they ask
// for, windows of 40 jobs, each from an empty cluster to the last job, and 30 s for a change.
func Defaults() scenario.Scenario {
	c := schedenv.Defaults()
	c.Cluster, c.Elastic = "1x4x4", "min=1,max=4x"
	c.Costs.Rescale.FixedS, c.Costs.Restore.FixedS = 30, 30
	c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.WindowJobs, c.Cuts.Gap, c.Cuts.Load = 0, 0, 40, 0, 1
	return c
}

// Check is an error where work is hidden from agents, or the list has no places.
func Check(c *schedenv.Config, places int) error {
	if c.HideWork || len(c.Hide) > 0 {
		return errors.New("work is hidden, expected what is left by the runs' estimates")
	}
	if places < 1 {
		return fmt.Errorf("%d places, expected 1 or more", places)
	}
	return nil
}
