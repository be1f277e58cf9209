package policies

import "tarry/sim/entry"

// Variants lists schedulers with the habits of other simulators, which cmd/reference compares.
func Variants() entry.Policies {
	return entry.Policies{}
}

// moved lists, by the name of a policy, the settings that a variant has now.
func moved() map[string][]entry.Moved {
	return map[string][]entry.Moved{}
}
