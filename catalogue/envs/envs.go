// Package envs lists the environments that tarry ships: every id, and how to make it. env/registry
// makes them.
package envs

import (
	"tarry/env"
	"tarry/env/classic"
	"tarry/env/probe"
	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/sim/param"
)

// Entry is one environment of a catalogue.
type Entry = registry.Entry

// Catalogue lists environments in the order in which they are shown.
type Catalogue = registry.Catalogue

// All lists the environments that tarry ships.
func All() Catalogue {
	all := Catalogue{
		bare("classic/CartPole-v1", "push a cart so that its pole stays up", 500, classic.CartPole),
		bare("classic/Pendulum-v1", "swing a rod up by a weak torque and hold it (continuous)", 200, classic.Pendulum),
		bare("classic/Acrobot-v1", "swing the end of two links above a line", 500, classic.Acrobot),
		bare("classic/MountainCar-v0", "roll back to get over a hill", 200, classic.MountainCar),
	}
	for _, p := range append(probe.All(), probe.Privileged(), probe.Rare(), probe.Mixed()) {
		all = append(all, bare(p.ID, "probe of "+p.Isolates, 0, p.New))
	}
	return append(append(all, clusters()...), models()...)
}

// bare is an entry without options.
func bare(id, doc string, steps int, make func() env.Env) Entry {
	return Entry{ID: id, Doc: doc, MaxSteps: steps, New: func(_ scenario.Catalogues, options string) (env.Env, error) {
		if err := param.Parse("environment "+id, options).Err(); err != nil {
			return nil, err
		}
		return make(), nil
	}}
}
