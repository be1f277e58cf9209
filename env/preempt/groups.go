package preempt

import (
	"slices"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
)

// segments are the segments of the observation.
func (c *Config) segments() []layout.Segment {
	return []layout.Segment{
		{Name: "cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "blocked", Features: append(schedenv.JobFeatures(), "in_machine", "in_rack", "coming"), Items: 1},
		{Name: "candidate", Features: append(schedenv.JobFeatures(), "present", "ratio", "place", "compute",
			"opens_machine", "opens_rack", "opens_any", "checkpoint", "lease"), Items: c.Candidates},
	}
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
