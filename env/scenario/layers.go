package scenario

import (
	"tarry/sim"
	"tarry/sim/efficiency"
	"tarry/sim/entry"
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/stack"
	"tarry/sim/typespeed"
	"tarry/sim/variability"
)

// layerOf makes a layer of a scenario; nil = the scenario has none of the kind.
type layerOf func(s *Setup, e *entry.SpeedEnv) (stack.Layer, error)

// layers lists what a scenario may put over its speed model, from the bottom up. A new layer is a row
// here. The order: the clock is the hardware's, and so are factors of single GPUs; a batch is divided
// among GPUs as fast as they are; jobs on one GPU disturb one another with the batches that they have;
// and a host delivers samples at its pace whatever slows the GPUs.
func layers() []layerOf {
	return []layerOf{ofTypes, ofVariability, ofEfficiency, ofInterference, ofHosts}
}

// Speed makes a speed model for one run.
func (s *Setup) Speed() (sim.SpeedModel, error) {
	e := s.speedEnv()
	if kind, _ := s.from.Speeds.Find(s.Scenario.Speed); kind.ByType || s.byModel() {
		e.Types = nil // the model has them itself, or the layer of types
	}
	m, err := s.from.Speeds.Parse(s.Scenario.Speed, e)
	if err != nil {
		return nil, err
	}
	var over []stack.Layer
	for _, of := range layers() {
		l, err := of(s, &e)
		if err != nil {
			return nil, err
		}
		if l != nil {
			over = append(over, l)
		}
	}
	return stack.New(m, over...), nil
}

// byModel reports whether GPU types are as fast as the cluster says for each model.
func (s *Setup) byModel() bool {
	kind, _ := s.from.Speeds.Find(s.Scenario.Speed)
	return len(s.Cluster.ModelSpeeds) > 0 && !kind.ByType
}

func ofTypes(s *Setup, _ *entry.SpeedEnv) (stack.Layer, error) {
	if !s.byModel() {
		return nil, nil
	}
	return typespeed.New(s.Topology, s.Cluster.Speeds, s.Cluster.ModelSpeeds)
}

func ofVariability(s *Setup, _ *entry.SpeedEnv) (stack.Layer, error) {
	if s.factors == nil {
		return nil, nil
	}
	return variability.NewLayer(s.factors), nil
}

func ofEfficiency(s *Setup, e *entry.SpeedEnv) (stack.Layer, error) {
	if s.learns == nil {
		return nil, nil
	}
	return efficiency.NewLayer(s.learns, e.Models, e.DefaultModel), nil
}

func ofInterference(s *Setup, e *entry.SpeedEnv) (stack.Layer, error) {
	if s.beside == nil {
		return nil, nil
	}
	return interference.NewLayer(s.beside, e.Models, e.Topology), nil
}

func ofHosts(s *Setup, e *entry.SpeedEnv) (stack.Layer, error) {
	if s.hosts == nil {
		return nil, nil
	}
	return hosts.NewLayer(s.hosts, e.Topology, e.Models, e.DefaultModel), nil
}
