package delaytimer

import (
	"fmt"
	"slices"
	"strconv"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
)

// segments are the segments of the observation; the discrete twin sees one class.
func (c *Config) segments() []layout.Segment {
	n, own := Classes, classFeatures()
	item := "a class of demand, the smallest first: at most M/4, M/2, M, 2M, 4M GPUs, and more, M of the largest machine"
	if c.Discrete {
		n, item = 1, "the class of demand that is asked about"
	}
	if c.SeeRegime {
		own = append(own, regimeFeatures()...)
	}
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "class", Doc: item, Features: own, Items: n},
	}
}

// classFeatures are what is seen of a class.
func classFeatures() []layout.Feature {
	return layout.Features(`
present  0, 1  flag  1 if a job of the class has been submitted
size  0, 0.2, 0.4, 0.6, 0.8, 1  share  number of the class / 5
waiting  0..1  ratio, squashed  its waiting jobs / machines
demand  0..1  ratio, squashed  GPUs that these ask for / GPUs
oldest  0..1  leases, squashed  longest wait among them
running  0..1  share  GPUs that its jobs hold / GPUs that are up
in_machine  0..1  share  part of these in jobs placed in one machine or slot
in_rack  0..1  share  part in jobs placed in one rack
across  0..1  share  part in jobs placed across racks
compute  0..1  share  mean fraction of time that its running jobs compute, by GPUs; 1 if none runs
arrived  0..1  1/lease, squashed  GPUs that its jobs submitted since the last epoch ask for, per lease / GPUs
accepted  0..1  leases, squashed  mean wait before the places taken since the last epoch; 0 if none
t_rack  0..1  (a+1)/2  its T_rack now, a as in actions
t_net  0..1  (a+1)/2  its T_net now`)
}

// guide states what the numbers or choices of an action are.
func (c *Config) guide() layout.Guide {
	if c.Discrete {
		var out []layout.Feature
		for i, p := range Pairs() {
			out = append(out, layout.Feature{Name: strconv.Itoa(i),
				Doc: fmt.Sprintf("T_rack %v, T_net %v leases", p[0], p[1])})
		}
		return layout.Guide{Action: out}
	}
	most := ""
	if c.SeeRegime {
		most = "; 1 is a wait without end"
	}
	return layout.Guide{Action: layout.Features(`
0,2..10  -1..1  a  T_rack of a class: 60^a leases, rounded to a second; -1 takes a place at once` + most + `
1,3..11  -1..1  a  T_net of the class, in the same way; at least its T_rack`)}
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
