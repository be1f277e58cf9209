package entry

import (
	"sync/atomic"

	"tarry/sim"
)

// Again returns a factory that gives first at its first call and what build makes at all others: a
// policy that was made to check its settings serves the first run. The factory may be called from
// several goroutines.
func Again(first sim.Policy, build func() (sim.Policy, error)) func() (sim.Policy, error) {
	var given atomic.Bool
	return func() (sim.Policy, error) {
		if given.CompareAndSwap(false, true) {
			return first, nil
		}
		return build()
	}
}
