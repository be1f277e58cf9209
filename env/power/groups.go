package power

import (
	"fmt"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
)

// classes is the number of classes of jobs, by the GPUs that they ask for: at most a quarter of the
// largest machine, at most the whole, and more.
const classes = 3

// Places of an action.
const (
	actLimit = iota
	actSpare
	actTimer
	actClock
	numActions = actClock + classes
)

// segments are the segments of the observation.
func segments() []layout.Segment {
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Features: schedenv.ClusterFeatures(), Items: 1},
		{Name: "power", Doc: "machines, watts and prices", Features: powerFeatures(), Items: 1},
		{Name: "class", Doc: "jobs that ask for at most M/4, M and more GPUs, M of the largest machine",
			Features: classFeatures(), Items: classes},
	}
}

func powerFeatures() []layout.Feature {
	return layout.Features(`
on  0..1  share  machines that are on / machines
idle  0..1  share  machines that are on and run no job / machines
booting  0..1  share  machines that boot / machines
stopping  0..1  share  machines that shut down / machines
watts  0..1  share  draw of the cluster / the most that it draws
cap  0..1  share  power cap / the most that the cluster draws; 1 without a cap
over  0..1  ratio, squashed  draw / power cap; 0 without a cap
breakeven  0..1  leases, squashed  time off that saves the energy of a boot, of the first machine
price  0..1  ratio, squashed  price / its mean; 0.5 without a price, 0 below 0
price_1  0..1  ratio, squashed  the same, an hour ahead
price_4  0..1  ratio, squashed  the mean of the next 4 hours
price_12  0..1  ratio, squashed  the mean of the next 12 hours
carbon  0..1  ratio, squashed  carbon intensity / its mean; 0.5 without one
carbon_1  0..1  ratio, squashed  the same, an hour ahead
carbon_4  0..1  ratio, squashed  the mean of the next 4 hours
carbon_12  0..1  ratio, squashed  the mean of the next 12 hours
day_sin  0..1  (1+sin)/2  time of day as an angle from time zero of the window
day_cos  0..1  (1+cos)/2  the same
age  0..1  leases, squashed  mean time since the submit of the jobs that wait or run
limit  0..1  share  most machines that may be on now / machines
spare  0..1  share  idle machines that are kept on now / machines
timer  0..1  (a+1)/2  time after which others are switched off, a as in actions`)
}

func classFeatures() []layout.Feature {
	return layout.Features(`
running  0..1  share  GPUs that its jobs hold / GPUs that are up
compute  0..1  share  mean part of the time that they compute at the nominal clock, by GPUs; 0 if none runs
draw  0..1  share  their draw beyond idle / the most that the cluster draws
clock  0..1  share  clock of the class, relative to nominal`)
}

// actions states what the numbers of an action are.
func (c *Config) actions() []layout.Feature {
	return layout.Features(fmt.Sprintf(`
0  -1..1  a  most machines that may be on: (a+1)/2 of them, but as many as the waiting jobs need while none runs
1  -1..1  a  idle machines that are kept on: ((a+1)/2)^2 of the machines
2  -1..1  a  idle time after which other machines are switched off: 60^a leases; -1 at once, 1 never
3..5  -1..1  a  clock of jobs that ask for at most M/4, M and more GPUs: %v at -1, 1 at 1, in steps of 1/20`, c.LowestClock))
}

// groups are what can be hidden.
func groups() []hide.Group {
	return []hide.Group{
		{Name: "cluster", Features: hide.Of("cluster", "busy down running draining machine_part rack_part")},
		{Name: "places", Features: hide.Of("cluster", "machine_free rack_free concentrated")},
		{Name: "queue", Features: append(hide.Of("cluster", "waiting demand oldest"), hide.Of("power", "age")...)},
		{Name: "machines", Features: hide.Of("power", "on idle booting stopping breakeven")},
		{Name: "watts", Features: append(hide.Of("power", "watts cap over"), hide.Of("class", "draw")...)},
		{Name: "price", Features: hide.Of("power", "price carbon")},
		{Name: "ahead", Features: hide.Of("power", "price_1 price_4 price_12 carbon_1 carbon_4 carbon_12")},
		{Name: "day", Features: hide.Of("power", "day_sin day_cos")},
		{Name: "mix", Features: hide.Of("class", "running compute")},
		{Name: "actions", Features: append(hide.Of("power", "limit spare timer"), hide.Of("class", "clock")...)},
	}
}
