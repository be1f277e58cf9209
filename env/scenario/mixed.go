package scenario

import (
	"fmt"

	"tarry/sim"
)

// Mixed is the windows of several sources in turn: window i is window i / n of source i mod n of n,
// so that any first n windows have one of each, and a window drawn evenly is of each source alike.
type Mixed []Source

// Windows is n times what the source with the fewest has.
func (m Mixed) Windows(p Part) int {
	least := 0
	for i, s := range m {
		if n := s.Windows(p); i == 0 || n < least {
			least = n
		}
	}
	return least * len(m)
}

// Window makes one of them.
func (m Mixed) Window(p Part, i int) (*sim.Workload, error) {
	w, err := m[i%len(m)].Window(p, i/len(m))
	if err != nil {
		return nil, fmt.Errorf("scenario %d of the mixture: %w", i%len(m), err)
	}
	return w, nil
}
