//go:build !js

package results

// numberDict numbers the different values of a column in the order in which they come.
type numberDict struct {
	values []uint64
	slots  []uint16 // by hash: the number of a value + 1; 0 = free
}

const (
	// fewNumbers are looked through one by one.
	fewNumbers = 8
	// slotBits is the size of the table: at most half of it is used.
	slotBits = 12
)

// golden spreads what it is multiplied with over the high bits: 2^64 over the golden ratio, Knuth,
// The Art of Computer Programming 3, 6.4.
const golden = 0x9e3779b97f4a7c15

// find gives the number of a value.
func (d *numberDict) find(v uint64) (id uint16, found bool) {
	if len(d.values) <= fewNumbers {
		for i, have := range d.values {
			if have == v {
				return uint16(i), true
			}
		}
		return 0, false
	}
	slot := d.slot(v)
	if n := d.slots[slot]; n > 0 {
		return n - 1, true
	}
	return 0, false
}

// slot is where the value is, or would be.
func (d *numberDict) slot(v uint64) int {
	at := int(v * golden >> (64 - slotBits))
	for d.slots[at] > 0 && d.values[d.slots[at]-1] != v {
		at = (at + 1) & (1<<slotBits - 1)
	}
	return at
}

// add takes a value that it does not have.
func (d *numberDict) add(v uint64) (id uint16) {
	d.values = append(d.values, v)
	switch n := len(d.values); {
	case n == fewNumbers+1:
		if d.slots == nil {
			d.slots = make([]uint16, 1<<slotBits)
		}
		for i, v := range d.values {
			d.slots[d.slot(v)] = uint16(i + 1)
		}
	case n > fewNumbers:
		d.slots[d.slot(v)] = uint16(n)
	}
	return uint16(len(d.values) - 1)
}

func (d *numberDict) clear() {
	d.values = d.values[:0]
	clear(d.slots)
}
