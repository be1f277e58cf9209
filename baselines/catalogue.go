// Package baselines lists the schedulers that tarry ships: every published policy under one
// spelling, NAME or NAME:key=value,...
//
// Reading guide: All has the entries in the order in which they are shown; Catalogue.Parse finds
// one and reads its settings. Each policy is a package below this one; what they share is in
// sim/plan.
package baselines

import "tarry/sim/entry"

// Entry is one policy of a catalogue: its name, what it does, its paper, its settings and how to
// make it.
type Entry = entry.Policy

// Catalogue lists policies in the order in which they are shown.
type Catalogue = entry.Policies
