package preempt

import (
	"fmt"
	"slices"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
)

// segments are the segments of the observation.
func (c *Config) segments() []layout.Segment {
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "blocked", Doc: "the job that finds no place", Features: append(schedenv.JobFeatures(), layout.Features(`
in_machine  0..1  share  most free GPUs in one machine / GPUs that it asks for, at most 1
in_rack  0..1  share  most free GPUs in one rack / GPUs that it asks for, at most 1
coming  0..1  ratio, squashed  GPUs whose holders write a checkpoint / GPUs that it asks for`)...), Items: 1},
		{Name: "candidate", Doc: "a running job that may be evicted, the last in the order first; 0 where there is none",
			Features: append(schedenv.JobFeatures(), layout.Features(`
present  0, 1  flag  1 where there is a job
ratio  0..1  ratio, squashed  its GPUs / the GPUs that the blocked job asks for
place  0, 0.5, 1  place  0 in a machine, 0.5 in a rack, 1 across racks
compute  0..1  share  fraction of time that it computes now
opens_machine  0, 1  flag  1 if its GPUs and the free ones hold the blocked job in one machine
opens_rack  0, 1  flag  1 if they hold it in one rack
opens_any  0, 1  flag  1 if they hold it at all
checkpoint  0..1  leases, squashed  time that its checkpoint takes
lease  0..1  leases, squashed  time left of its lease; 1 without a lease`)...), Items: c.Candidates},
	}
}

// actions are the choices.
func (c *Config) actions() []layout.Feature {
	n := c.Candidates
	if !c.sets() {
		return layout.Features(fmt.Sprintf(`
0  evict none
1..%d  evict the candidate of that number`, n))
	}
	return layout.Features(fmt.Sprintf(`
0  leave it at that
1..%d  add the candidate of that number to the set, which goes once its GPUs are enough
%d..%d  wait for the next checkpoint of candidate 1..%d, before a set is begun`, n, n+1, 2*n, n))
}

// groups are what can be hidden.
func groups() []hide.Group {
	jobs := func(features string) []string {
		return slices.Concat(hide.Of("blocked", features), hide.Of("candidate", features))
	}
	return []hide.Group{
		{Name: "cluster", Features: hide.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: slices.Concat(hide.Of("cluster", "machine_free rack_free concentrated"),
			hide.Of("blocked", "in_machine in_rack coming"))},
		{Name: "queue", Features: hide.Of("cluster", "waiting demand oldest")},
		{Name: "demand", Features: append(jobs("gpus part"), "candidate.present")},
		{Name: "history", Features: jobs("wait run preempted")},
		{Name: "work", Features: jobs("left done")},
		{Name: "network", Features: append(jobs("sensitive"), hide.Of("candidate", "place compute")...)},
		{Name: "gain", Features: hide.Of("candidate", "ratio opens_machine opens_rack opens_any")},
		{Name: "cost", Features: hide.Of("candidate", "checkpoint lease")},
	}
}
