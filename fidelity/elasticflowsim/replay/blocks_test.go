package replay

import "testing"

// Machines whose number of GPUs is no power of two have blocks, too.
func TestBlocksOfOddMachines(t *testing.T) {
	b := newBlocks(12, 6)
	for i, c := range []struct{ gpus, first int32 }{{5, 0}, {1, 5}, {6, 6}, {1, -1}} {
		if got := b.put(c.gpus); got != c.first {
			t.Errorf("%d: %d GPUs from %d, expected from %d", i, c.gpus, got, c.first)
		}
	}
}
