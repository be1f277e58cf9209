package preempt

import (
	"slices"

	envc "tarry/env/cluster"
)

// rows are the fields of the observation.
func (c *Config) rows() []envc.Rows {
	return []envc.Rows{
		{Field: "cluster", Features: envc.ClusterFeatures(), Rows: 1},
		{Field: "blocked", Features: append(envc.JobFeatures(), "in_machine", "in_rack", "coming"), Rows: 1},
		{Field: "candidate", Features: append(envc.JobFeatures(), "present", "ratio", "place", "compute",
			"opens_machine", "opens_rack", "opens_any", "checkpoint", "lease"), Rows: c.Candidates},
	}
}

// groups are what can be hidden.
func groups() []envc.Group {
	jobs := func(features string) []string {
		return slices.Concat(envc.Of("blocked", features), envc.Of("candidate", features))
	}
	return []envc.Group{
		{Name: "cluster", Features: envc.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: slices.Concat(envc.Of("cluster", "machine_free rack_free concentrated"), envc.Of("blocked", "in_machine in_rack coming"))},
		{Name: "queue", Features: envc.Of("cluster", "waiting demand oldest")},
		{Name: "demand", Features: append(jobs("gpus part"), "candidate.present")},
		{Name: "history", Features: jobs("wait run preempted")},
		{Name: "work", Features: jobs("left done")},
		{Name: "network", Features: append(jobs("sensitive"), envc.Of("candidate", "place compute")...)},
		{Name: "gain", Features: envc.Of("candidate", "ratio opens_machine opens_rack opens_any")},
		{Name: "cost", Features: envc.Of("candidate", "checkpoint lease")},
	}
}
