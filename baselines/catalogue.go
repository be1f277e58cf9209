// Package baselines has published schedulers, one package each: every one is a sim.Policy under one
// spelling, NAME or NAME:key=value,...
//
// Reading guide: an Entry names a scheduler and makes it, Catalogue.Parse finds one and reads its
// settings; catalogue/policies has the list. What the schedulers share is in sim/plan. The tests
// here run all of them.
package baselines

import "tarry/sim/entry"

// Entry is one policy of a catalogue: its name, what it does, its paper, its settings and how to
// make it.
type Entry = entry.Policy

// Catalogue lists policies in the order in which they are shown.
type Catalogue = entry.Policies
