package batsim

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/traces/intake"
)

// profile is what a job does.
type profile struct {
	Type     string          `json:"type"`
	Delay    *float64        `json:"delay"`
	CPU      json.RawMessage `json:"cpu"`
	Com      json.RawMessage `json:"com"`
	Seq      []string        `json:"seq"`
	Repeat   *float64        `json:"repeat"`
	Nb       *float64        `json:"nb"`
	Ret      int64           `json:"ret"`
	Strategy string          `json:"generation_strategy"`
	line     int
}

// leftOut is why a job is left out whose profile is right.
type leftOut string

// Error is the reason.
func (l leftOut) Error() string { return string(l) }

// profiles are the profiles of a workload.
type profiles struct {
	of map[string]profile
	// speed is the flop per second of a host; 0 = not stated.
	speed float64
}

// maxDepth bounds sequences of sequences, maxSteps their parts in all.
const (
	maxDepth = 32
	maxSteps = 1 << 20
)

// run gives the run time of a profile on so many hosts in microseconds. An error that is leftOut
// states why it is not known; others what is wrong.
func (p *profiles) run(name string, res int64) (int64, error) {
	steps := 0
	s, err := p.seconds(name, res, 0, &steps)
	if err != nil {
		return 0, err
	}
	if !(s >= 0) || s > sim.Time(intake.MaxWork).Seconds() {
		return 0, fmt.Errorf("profile %q takes %g s, expected 0 to %g", name, s, sim.Time(intake.MaxWork).Seconds())
	}
	return int64(math.Round(s * 1e6)), nil
}

func (p *profiles) seconds(name string, res int64, depth int, steps *int) (float64, error) {
	one, ok := p.of[name]
	if *steps++; *steps > maxSteps || depth > maxDepth {
		return 0, fmt.Errorf("profile %q: sequences of more than %d levels or %d parts", name, maxDepth, maxSteps)
	}
	if !ok {
		return 0, fmt.Errorf("profile %q is in a sequence, and not among the profiles", name)
	}
	switch one.Type {
	case "delay", "DelayProfile":
		if one.Delay == nil || *one.Delay < 0 {
			return 0, fmt.Errorf("profile %q: delay is missing or below 0, expected seconds", name)
		}
		return *one.Delay, nil
	case "composed", "sequence", "SequentialCompositionProfile":
		return p.sequence(one, res, depth, steps)
	case "parallel", "parallel_homogeneous", "parallel_homogeneous_total", "msg_par", "msg_par_hg", "msg_par_hg_tot",
		"ParallelTaskProfile", "ParallelTaskHomogeneousProfile":
		return p.computed(one, res)
	case "":
		return 0, fmt.Errorf("profile %q has no type", name)
	}
	return 0, leftOut(fmt.Sprintf("profiles of type %s need a simulation of hosts and network", one.Type))
}

func (p *profiles) sequence(one profile, res int64, depth int, steps *int) (float64, error) {
	sum := 0.0
	for _, name := range one.Seq {
		s, err := p.seconds(name, res, depth+1, steps)
		if err != nil {
			return 0, err
		}
		sum += s
	}
	for _, times := range []*float64{one.Repeat, one.Nb} {
		if times != nil {
			return float64(sum * max(0, *times)), nil
		}
	}
	return sum, nil
}

// computed is the time of a computation without transfers.
func (p *profiles) computed(one profile, res int64) (float64, error) {
	cpu, okCPU := amounts(one.CPU)
	com, okCom := amounts(one.Com)
	if !okCPU || !okCom {
		return 0, fmt.Errorf("cpu and com of a profile of type %s are no numbers >= 0", one.Type)
	}
	most := 0.0
	for _, v := range cpu {
		most = max(most, v)
	}
	switch {
	case slices.ContainsFunc(com, func(v float64) bool { return v > 0 }):
		return 0, leftOut(fmt.Sprintf("profiles of type %s that move data need a simulation of the network", one.Type))
	case p.speed == 0 && most > 0:
		return 0, leftOut(fmt.Sprintf("profiles of type %s need the speed of a host: batsim:FILE,speed=1Gf", one.Type))
	case most == 0:
		return 0, nil
	}
	if strings.HasSuffix(one.Type, "_tot") || strings.HasSuffix(one.Type, "_total") ||
		one.Strategy == "DefinedAmountsSpreadUniformly" || one.Strategy == "defined_amount_spread_uniformly" {
		most /= float64(res)
	}
	return most / p.speed, nil
}

// amounts reads a number or a list of numbers, none below 0; none where there is nothing.
func amounts(text json.RawMessage) ([]float64, bool) {
	if len(text) == 0 {
		return nil, true
	}
	var list []float64
	if err := json.Unmarshal(text, &list); err != nil {
		var one float64
		if json.Unmarshal(text, &one) != nil {
			return nil, false
		}
		list = []float64{one}
	}
	return list, !slices.ContainsFunc(list, func(v float64) bool { return v < 0 })
}
