package offer

import (
	"slices"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
)

// segments are the segments of the observation.
func segments() []layout.Segment {
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "job", Doc: "the job that has the offer", Features: append(schedenv.JobFeatures(), layout.Features(`
offered  0, 0.5, 1  place  place on offer: 0.5 one rack, 1 across racks; 0 when the episode has ended
fits  0, 0.5, 1  place  finest place that could ever hold it: 0 one machine, 0.5 one rack, 1 across racks
in_machine  0..1  share  most free GPUs in one machine / GPUs that it asks for, at most 1
in_rack  0..1  share  most free GPUs in one rack / GPUs that it asks for, at most 1
patience  0..1  ratio, squashed  its wait / the timer that Dally would apply to this offer; 1 if that is 0
rivals  0..1  ratio, squashed  waiting jobs of the same demand / machines
behind  0..1  ratio, squashed  GPUs that other demands' waiting jobs ask for / GPUs`)...), Items: 1},
	}
}

// actions are the choices.
func actions() []layout.Feature {
	return layout.Features(`
0  wait for a better place
1  take the place`)
}

// groups are what can be hidden.
func groups() []hide.Group {
	return []hide.Group{
		{Name: "cluster", Features: hide.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: slices.Concat(hide.Of("cluster", "machine_free rack_free concentrated"),
			hide.Of("job", "in_machine in_rack"))},
		{Name: "queue", Features: slices.Concat(hide.Of("cluster", "waiting demand oldest"),
			hide.Of("job", "rivals behind"))},
		{Name: "demand", Features: hide.Of("job", "gpus part")},
		{Name: "history", Features: hide.Of("job", "wait run preempted")},
		{Name: "work", Features: hide.Of("job", "left done")},
		{Name: "network", Features: hide.Of("job", "sensitive")},
		{Name: "offer", Features: hide.Of("job", "offered fits")},
		{Name: "patience", Features: hide.Of("job", "patience")},
	}
}
