//go:build !js

package results

import "unsafe"

// textDict numbers the different texts of a column in the order in which they come.
type textDict struct {
	values []string
	bytes  int // of the texts with their lengths
	index  map[string]uint16
	seen   []seenText // by address
}

// seenText is a text that was found. Rows share the memory of texts that repeat: to compare
// addresses is enough for most.
type seenText struct {
	text string
	id   uint16
}

const (
	// fewTexts are looked through one by one.
	fewTexts = 4
	// seenBits is the size of the table by address.
	seenBits = 8
)

// find gives the number of a text.
func (d *textDict) find(s string) (id uint16, found bool) {
	if len(d.values) <= fewTexts {
		for i, have := range d.values {
			if have == s {
				return uint16(i), true
			}
		}
		return 0, false
	}
	at := &d.seen[uint64(uintptr(unsafe.Pointer(unsafe.StringData(s))))*golden>>(64-seenBits)]
	if len(s) > 0 && sameMemory(at.text, s) {
		return at.id, true
	}
	if id, found = d.index[s]; found {
		*at = seenText{s, id}
	}
	return id, found
}

// add takes a text that it does not have.
func (d *textDict) add(s string) (id uint16) {
	d.values = append(d.values, s)
	d.bytes += lengthBytes + len(s)
	switch n := len(d.values); {
	case n == fewTexts+1:
		if d.index == nil {
			d.index, d.seen = map[string]uint16{}, make([]seenText, 1<<seenBits)
		}
		for i, s := range d.values {
			d.index[s] = uint16(i)
		}
	case n > fewTexts:
		d.index[s] = uint16(n - 1)
	}
	return uint16(len(d.values) - 1)
}

func (d *textDict) clear() {
	clear(d.values)
	d.values, d.bytes = d.values[:0], 0
	clear(d.index)
	clear(d.seen)
}
