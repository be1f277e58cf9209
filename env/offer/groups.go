package offer

import (
	"slices"

	envc "tarry/env/cluster"
)

// rows are the fields of the observation.
func rows() []envc.Rows {
	return []envc.Rows{
		{Field: "cluster", Features: envc.ClusterFeatures(), Rows: 1},
		{Field: "job", Features: append(envc.JobFeatures(), "offered", "fits", "in_machine", "in_rack", "patience", "rivals", "behind"), Rows: 1},
	}
}

// groups are what can be hidden.
func groups() []envc.Group {
	return []envc.Group{
		{Name: "cluster", Features: envc.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: slices.Concat(envc.Of("cluster", "machine_free rack_free concentrated"), envc.Of("job", "in_machine in_rack"))},
		{Name: "queue", Features: slices.Concat(envc.Of("cluster", "waiting demand oldest"), envc.Of("job", "rivals behind"))},
		{Name: "demand", Features: envc.Of("job", "gpus part")},
		{Name: "history", Features: envc.Of("job", "wait run preempted")},
		{Name: "work", Features: envc.Of("job", "left done")},
		{Name: "network", Features: envc.Of("job", "sensitive")},
		{Name: "offer", Features: envc.Of("job", "offered fits")},
		{Name: "patience", Features: envc.Of("job", "patience")},
	}
}
