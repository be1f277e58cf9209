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
		{Name: "cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "job", Features: append(schedenv.JobFeatures(), "offered", "fits", "in_machine", "in_rack", "patience",
			"rivals", "behind"), Items: 1},
	}
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
