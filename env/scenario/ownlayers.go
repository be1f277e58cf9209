package scenario

import (
	"errors"

	"tarry/sim/entry"
	"tarry/sim/setting"
	"tarry/sim/stack"
)

// ownLayersLaw puts layers of the catalogue over all others.
func ownLayersLaw() scenarioLaw {
	return scenarioLaw{(*Scenario).ownLayersRow, (*Setup).buildOwnLayers}
}

// noLayer is the text of a run without a layer of the program's own.
const noLayer = "none"

// ownLayersRow is its setting.
func (c *Scenario) ownLayersRow() setting.Row {
	return setting.Row{Key: "layers", Group: setting.Machines,
		Flag: "layer", Aliases: []string{"layers"}, To: &c.Layers, Meta: "LAYER",
		See:   "layers",
		Words: []string{noLayer},
		Doc:   "layers of the program's own over the speed model, from the bottom up, joined by +",
		Forms: "none, NAME or NAME:options; tarry has none by name"}
}

// buildOwnLayers makes each layer once, for its faults, and again for each run.
func (s *Setup) buildOwnLayers() (layerOf, error) {
	var errs []error
	for _, spec := range s.Scenario.Layers {
		if s.Topology == nil { // reported
			break
		}
		if spec == noLayer {
			continue
		}
		if _, err := s.from.Layers.Parse(spec, s.speedEnv()); err != nil {
			errs = append(errs, wrong("layers", "%w", err))
			continue
		}
		s.layers = append(s.layers, func(e *entry.SpeedEnv) stack.Layer {
			l, _ := s.from.Layers.Parse(spec, *e) // without faults, as above
			return l
		})
	}
	return nil, errors.Join(errs...)
}
