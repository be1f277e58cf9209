package contest

import (
	"slices"

	"tarry/sim"
)

// Keys of a Ranker hold until an instant that it names. A second tree over the list of a
// class has the least of these instants below each node, so that only the keys that are due are
// asked for again.

// timed has the class find the keys that are due.
func (c *Class) timed() {
	c.soon = slices.Grow(c.soon, 2*len(c.list))[:2*len(c.list)]
	c.buildSoon()
}

// due is the first instant at which a key is to be asked for again; Never without a Ranker.
func (c *Class) due() sim.Time {
	switch {
	case c.stale:
		return 0
	case len(c.soon) == 0:
		return sim.Never
	}
	return c.soon[1]
}

// holds sets until when the key at i holds.
func (c *Class) holds(i int, until sim.Time) {
	if len(c.soon) == 0 {
		return
	}
	p := len(c.list) + i
	c.soon[p] = until
	for p /= 2; p >= 1; p /= 2 {
		t := min(c.soon[2*p], c.soon[2*p+1])
		if t == c.soon[p] {
			return
		}
		c.soon[p] = t
	}
}

// buildSoon renews all of the second tree.
func (c *Class) buildSoon() {
	if len(c.soon) == 0 {
		return
	}
	size := len(c.list)
	for i := range size {
		c.soon[size+i] = sim.Never
		if i < c.n && c.list[i].Job != sim.NoJob {
			c.soon[size+i] = c.list[i].until
		}
	}
	for p := size - 1; p >= 1; p-- {
		c.soon[p] = min(c.soon[2*p], c.soon[2*p+1])
	}
}
