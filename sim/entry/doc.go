// Package entry holds what one entry of a catalogue is, for policies, traces, speed models and
// predictors, and how an entry is found by name. Lists of entries are
// in packages below catalogue, or a program's own. Code that looks a name up imports this package
// alone, not all that tarry ships.
package entry
