package speed

import "tarry/sim/entry"

type (
	// Env is what a speed model is built from.
	Env = entry.SpeedEnv
	// Kind is one speed model of a catalogue.
	Kind = entry.Speed
	// Catalogue lists speed models in the order in which they are shown.
	Catalogue = entry.Speeds
	// Types gives GPU types a speed relative to the reference type; a type that is not listed has 1.
	Types = entry.GPUTypes
)
