//go:build !js

package results

import "unsafe"

// copies copies texts out of pages. Texts that repeat share one copy, others lie side by side in
// memory of a few kilobytes.
type copies struct {
	last   string
	known  map[string]string
	asked  int // texts that differed from the one before
	free   []byte
	losing bool // too few repeat
}

const (
	// mostKnown bounds the texts that are known.
	mostKnown = 1 << 12
	// copiedBytes is the memory that texts share.
	copiedBytes = 1 << 12
)

// of gives a copy of v.
func (c *copies) of(v []byte) string {
	if string(v) == c.last {
		return c.last
	}
	if c.losing {
		c.last = c.copy(v)
		return c.last
	}
	c.asked++
	s, ok := c.known[string(v)]
	if !ok {
		s = c.copy(v)
		if c.losing = len(c.known) == mostKnown || !gains(len(c.known), c.asked, mostKnown); c.losing {
			c.known = nil
		} else {
			if c.known == nil {
				c.known = map[string]string{}
			}
			c.known[s] = s
		}
	}
	c.last = s
	return s
}

func (c *copies) copy(v []byte) string {
	if len(v) > copiedBytes/8 {
		return string(v)
	}
	if cap(c.free)-len(c.free) < len(v) {
		c.free = make([]byte, 0, copiedBytes)
	}
	at := len(c.free)
	c.free = append(c.free, v...)
	return unsafe.String(unsafe.SliceData(c.free[at:]), len(v))
}
