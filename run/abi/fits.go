package abi

import (
	"fmt"
	"runtime"

	"tarry/internal/memory"
)

// many is from how many environments on one more is made and reset to see what one takes: less than
// that much time more.
const many = 16

// copies is how often a caller holds an observation of each environment beside the buffer: the
// bounds of its space, and the copy that a call returns.
const copies = 3

// fits refuses environments that need more than the free bytes of memory; 0 = any. The first one is
// there.
func (g *Group) fits(free int64) error {
	n := int64(g.request.Count)
	outside := int64(g.bytes) + n*int64(g.spec.Observation.Len())*8*copies
	each := outside / n
	if g.request.Count >= many {
		taken, err := g.weigh()
		if err != nil {
			return err
		}
		each += taken
	}
	if need := each * n; free > 0 && need > free {
		return fmt.Errorf("%s: %d environments of about %s need %s, and %s of memory are free: expected fewer "+
			"environments, or options that make them smaller",
			g.request.ID, n, memory.Text(each), memory.Text(need), memory.Text(free))
	}
	return nil
}

// weigh is what one environment in an episode takes of Go's memory, in bytes.
func (g *Group) weigh() (int64, error) {
	before := live()
	e, err := g.one()
	if err != nil {
		return 0, err
	}
	seed := uint64(1)
	if _, _, err := e.Reset(&seed, ""); err != nil {
		return max(live()-before, 0), e.Close() // its reset needs options: without an episode it is lighter
	}
	taken := max(live()-before, 0)
	return taken, e.Close()
}

// live is how much memory is in use, without what nothing refers to.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
