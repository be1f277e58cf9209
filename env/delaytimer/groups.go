package delaytimer

import (
	"slices"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
)

// segments are the segments of the observation; the discrete twin sees one class.
func (c *Config) segments() []layout.Segment {
	n := Classes
	if c.Discrete {
		n = 1
	}
	own := []string{"present", "size", "waiting", "demand", "oldest", "running", "in_machine", "in_rack", "across",
		"compute", "arrived", "accepted", "t_rack", "t_net"}
	if c.SeeRegime {
		own = append(own, regimeFeatures()...)
	}
	return []layout.Segment{
		{Name: "cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "class", Features: own, Items: n},
	}
}

// groups are what can be hidden.
func (c *Config) groups() []hide.Group {
	network, timers := "compute", "t_rack t_net"
	if c.SeeRegime {
		network, timers = "compute rack_cost net_cost", "t_rack t_net base_rack base_net"
	}
	return []hide.Group{
		{Name: "cluster", Features: hide.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: hide.Of("cluster", "machine_free rack_free concentrated")},
		{Name: "queue", Features: slices.Concat(hide.Of("cluster", "waiting demand oldest"),
			hide.Of("class", "waiting demand oldest"))},
		{Name: "demand", Features: hide.Of("class", "present size")},
		{Name: "spread", Features: hide.Of("class", "running in_machine in_rack across")},
		{Name: "network", Features: hide.Of("class", network)},
		{Name: "flow", Features: hide.Of("class", "arrived accepted")},
		{Name: "timers", Features: hide.Of("class", timers)},
	}
}
