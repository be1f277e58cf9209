package schedenv

import "tarry/env/scenario"

// Part is one of the three disjoint sets of windows; see scenario.Part.
type Part = scenario.Part

// The parts, as in package scenario.
const (
	Train      = scenario.Train
	Validation = scenario.Validation
	Test       = scenario.Test
)

// Source gives the workloads of episodes; see scenario.Source.
type Source = scenario.Source
