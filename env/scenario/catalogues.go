package scenario

import "tarry/sim/entry"

// Catalogues are the things over the simulator that a text can name: policies, traces, speed models
// and predictors.
type Catalogues = entry.Catalogues
