package rollout

import (
	"tarry/baselines/contest"
	"tarry/sim"
)

// bend is an order in which some jobs go before or behind all others.
type bend struct {
	contest.Ranker
	jobs  []bent
	moved bool // since the last Begin
}

// bent states where a job goes.
type bent struct {
	// by is -1 for before all, +1 for behind all, 0 for where the order has it.
	by    int8
	since sim.Time // sim.RunInfo.Since when that was chosen
}

// far is larger than any key of an order.
const far = 1e300

// set has a job go before or behind all others: before them to the end of the run of its next
// grants, behind them until it loses or gets GPUs.
func (b *bend) set(v *sim.View, j sim.JobID, by int8) {
	b.jobs[j] = bent{by: by, since: v.Run(j).Since()}
	b.moved = true
}

// in reports where a job goes now.
func (b *bend) in(v *sim.View, j sim.JobID) int8 {
	k := b.jobs[j]
	if k.by == 0 || v.Run(j).Since() == k.since || k.by < 0 && v.Run(j).State() == sim.Running {
		return k.by
	}
	return 0
}

// Start implements contest.Ranker.
func (b *bend) Start(v *sim.View) {
	b.jobs = make([]bent, v.NumJobs())
	b.Ranker.Start(v)
}

// Begin implements contest.Ranker.
func (b *bend) Begin(v *sim.View, asked int) bool {
	moved := b.moved
	b.moved = false
	return b.Ranker.Begin(v, asked) || moved
}

// Rank implements contest.Ranker.
func (b *bend) Rank(v *sim.View, j sim.JobID) (key float64, until sim.Time) {
	key, until = b.Ranker.Rank(v, j)
	if by := b.in(v, j); by != 0 {
		key += far * float64(by)
	}
	return key, until
}

// Copied implements contest.Ranker.
func (b *bend) Copied(dst contest.Ranker) contest.Ranker {
	c, ok := dst.(*bend)
	if !ok {
		c = &bend{}
	}
	c.Ranker = b.Ranker.Copied(c.Ranker)
	c.jobs, c.moved = append(c.jobs[:0], b.jobs...), b.moved
	return c
}
