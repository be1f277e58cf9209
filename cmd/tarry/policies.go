package main

import (
	"fmt"
	"strings"

	"tarry/baselines/dally"
	"tarry/baselines/queueing"
	"tarry/baselines/tiresias"
	"tarry/internal/param"
	"tarry/sim"
	"tarry/sim/cluster"
)

func parsePolicy(spec string, rule cluster.Rule) (sim.Policy, error) {
	name, rest, _ := strings.Cut(spec, ":")
	set := param.Parse("policy "+name, rest)
	switch name {
	case "dally":
		return dally.New(set, rule)
	case "fifo":
		return queueing.NewFIFO(set, rule)
	case "srtf":
		return queueing.NewSRTF(set, rule)
	case "tiresias":
		return tiresias.New(set, rule)
	}
	return nil, fmt.Errorf("unknown policy %q", name)
}
