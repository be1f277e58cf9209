package trait

import (
	"tarry/sim"
	"tarry/sim/know"
)

// Viewed is an environment over a run of the simulator.
type Viewed interface {
	// View is the state of the run between calls, to look at; nil before the first reset.
	View() *sim.View
	// Knows is what the view gives of jobs beyond what everyone sees.
	Knows() know.Set
}
