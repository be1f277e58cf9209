package contest

import (
	"slices"

	"tarry/sim"
)

// Settled states that nothing changes any more unless a job comes, for sim.Engine.PlayOut: all jobs
// run, and each keeps its GPUs when its lease ends, since no place is tighter and no rule of a
// variant moves it.
func (p *Policy) Settled(v *sim.View) bool {
	c := &p.cfg
	if v.Waiting() > 0 || v.Draining() > 0 || len(p.expired) > 0 || c.Return || c.Places != nil || c.Sizes != nil ||
		c.Owners != nil || c.Sharing != nil || c.Clock != nil || p.hosted.any {
		return false
	}
	return !slices.ContainsFunc(v.Running(), func(j sim.JobID) bool { return !v.Topology().Compact(v.Run(j).Held()) })
}
