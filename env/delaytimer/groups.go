package delaytimer

import (
	"slices"

	envc "tarry/env/cluster"
)

// rows are the fields of the observation; the discrete twin sees one class.
func (c *Config) rows() []envc.Rows {
	n := Classes
	if c.Discrete {
		n = 1
	}
	return []envc.Rows{
		{Field: "cluster", Features: envc.ClusterFeatures(), Rows: 1},
		{Field: "class", Features: []string{"present", "size", "waiting", "demand", "oldest", "running", "in_machine", "in_rack", "across",
			"compute", "arrived", "accepted", "t_rack", "t_net"}, Rows: n},
	}
}

// groups are what can be hidden.
func groups() []envc.Group {
	return []envc.Group{
		{Name: "cluster", Features: envc.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: envc.Of("cluster", "machine_free rack_free concentrated")},
		{Name: "queue", Features: slices.Concat(envc.Of("cluster", "waiting demand oldest"), envc.Of("class", "waiting demand oldest"))},
		{Name: "demand", Features: envc.Of("class", "present size")},
		{Name: "spread", Features: envc.Of("class", "running in_machine in_rack across")},
		{Name: "network", Features: envc.Of("class", "compute")},
		{Name: "flow", Features: envc.Of("class", "arrived accepted")},
		{Name: "timers", Features: envc.Of("class", "t_rack t_net")},
	}
}
