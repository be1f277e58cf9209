package ranked

import (
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/know"
)

// Chooser picks out of a queue by the score of a rule, the least first, for policies that preempt no
// job. Build it with NewChooser.
type Chooser struct {
	by    *Ranker
	since []sim.Time // when a job began to wait that was entered; -1 = none was
}

// NewChooser is the choice by a rule, whose globals it does not read; lease is the unit of its times.
func NewChooser(r *score.Rule, lease sim.Time) *Chooser {
	return &Chooser{by: New(r.Func.Clone(), NewReader(r, lease))}
}

// Knows is progress and the prediction, if the score reads them.
func (c *Chooser) Knows() know.Set { return c.by.Knows() }

// Choose gives the place of the job with the least score out of some that wait, of which there is at
// least one; of equal ones the first to arrive.
func (c *Chooser) Choose(v *sim.View, waiting []sim.JobID) int {
	c.enter(v, waiting)
	best, least := 0, 0.0
	for i, j := range waiting {
		if s, _ := c.by.Rank(v, j); i == 0 || s < least || s == least && j < waiting[best] {
			best, least = i, s
		}
	}
	return best
}

// enter takes in the jobs that began to wait since the last choice.
func (c *Chooser) enter(v *sim.View, waiting []sim.JobID) {
	if c.since == nil {
		c.by.Start(v)
		c.since = make([]sim.Time, v.NumJobs())
		for j := range c.since {
			c.since[j] = -1
		}
	}
	asked := 0
	for _, j := range waiting {
		asked += v.Job(j).GPUs()
		if s := v.Run(j).Since(); c.since[j] != s {
			c.since[j] = s
			c.by.Enter(v, j)
		}
	}
	c.by.Begin(v, asked)
}

// Copied gives an independent copy between two choices.
func (c *Chooser) Copied() *Chooser {
	d := &Chooser{by: c.by.Copied(nil).(*Ranker)}
	if c.since != nil {
		d.since = append(make([]sim.Time, 0, len(c.since)), c.since...)
	}
	return d
}
