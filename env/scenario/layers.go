package scenario

import (
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/stack"
	"tarry/sim/typespeed"
)

// Speed makes a speed model for one run.
func (s *Setup) Speed() (sim.SpeedModel, error) {
	m, e, err := s.bottom()
	if err != nil {
		return nil, err
	}
	var over []stack.Layer
	if s.byModel() { // the clock is the hardware's: it lies below the laws
		types, err := typespeed.New(s.Topology, s.Cluster.Speeds, s.Cluster.ModelSpeeds)
		if err != nil {
			return nil, err
		}
		over = append(over, types)
	}
	for _, of := range s.layers {
		over = append(over, of(&e))
	}
	return stack.New(m, over...), nil
}

// bottom makes the speed model without layers, and what it was made from.
func (s *Setup) bottom() (sim.SpeedModel, entry.SpeedEnv, error) {
	e := s.speedEnv()
	if kind, _ := s.from.Speeds.Find(s.Scenario.Speed); kind.ByType || s.byModel() {
		e.Types = nil // the model has them itself, or the layer of types
	}
	m, err := s.from.Speeds.Parse(s.Scenario.Speed, e)
	return m, e, err
}

// byModel reports whether GPU types are as fast as the cluster states for each model.
func (s *Setup) byModel() bool {
	kind, _ := s.from.Speeds.Find(s.Scenario.Speed)
	return len(s.Cluster.ModelSpeeds) > 0 && !kind.ByType
}
