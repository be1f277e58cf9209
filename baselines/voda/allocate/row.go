package allocate

import (
	"math"
	"slices"
)

// entry is a job by itself, or a row: jobs without GPUs at neighbouring places. Of those each has
// the left side 1, the right side infinite and an infinite length, whatever its speed, so that all
// win or all lose against a job with GPUs, and among them the one with least remaining wins. Only
// lengths at the share of a holder differ (Tournament.each).
type entry struct {
	lo, hi int32 // places lo to hi-1
	best   int32 // place of the winner among them
	row    bool
}

// open lists the entries: rows, and by themselves jobs whose first GPUs have no speed, for which
// the above does not hold.
func (t *Tournament) open() {
	n := len(t.order)
	t.worth = slices.Grow(t.worth[:0], n)[:n]
	t.entries, t.holders = t.entries[:0], t.holders[:0]
	t.rows.open(n)
	t.most = 0
	for p := range int32(n) {
		if s := t.job(p).at(t.unit(p)); s > 0 && s <= math.MaxFloat64 {
			t.rows.put(p)
			t.most = max(t.most, t.job(p).Min)
			if k := len(t.entries) - 1; k >= 0 && t.entries[k].row {
				t.entries[k].hi++
				continue
			}
			t.entries = append(t.entries, entry{p, p + 1, p, true})
			continue
		}
		t.weigh(p)
		t.entries = append(t.entries, entry{p, p + 1, p, false})
	}
	t.rows.build(t)
	for i := range t.entries {
		if e := &t.entries[i]; e.row {
			e.best = t.rows.best(t, e.lo, e.hi)
		}
	}
	if t.Mins {
		t.chain()
	}
}

// chain links the jobs in rows by their min.
func (t *Tournament) chain() {
	t.byMin = slices.Grow(t.byMin[:0], t.most+1)[:t.most+1]
	clear(t.byMin)
	t.before = slices.Grow(t.before[:0], len(t.order))[:len(t.order)]
	for p := range int32(len(t.order)) {
		if t.rows.has(p) {
			m := t.job(p).Min
			t.before[p], t.byMin[m] = t.byMin[m], p+1
		}
	}
}

// find is the entry of a place.
func (t *Tournament) find(p int32) int {
	i, _ := slices.BinarySearchFunc(t.entries, p, func(e entry, p int32) int {
		if e.hi <= p {
			return -1
		}
		return 1
	})
	return i
}

// alone takes a job out of its row; it gives the first entry that changed.
func (t *Tournament) alone(p int32) int {
	i := t.find(p)
	e := t.entries[i]
	if !e.row {
		return i
	}
	t.rows.drop(t, p)
	parts := [3]entry{{lo: e.lo, hi: p, row: true}, {p, p + 1, p, false}, {lo: p + 1, hi: e.hi, row: true}}
	var keep [3]entry
	n := 0
	for _, x := range parts {
		if x.row {
			if x.best = t.rows.best(t, x.lo, x.hi); x.best < 0 {
				continue
			}
		}
		keep[n] = x
		n++
	}
	t.entries = slices.Replace(t.entries, i, i+1, keep[:n]...)
	return i
}

// leave takes a job off the list; it gives the first entry that changed.
func (t *Tournament) leave(p int32) int {
	i := t.find(p)
	if e := &t.entries[i]; e.row {
		t.rows.drop(t, p)
		if e.best == p {
			e.best = t.rows.best(t, e.lo, e.hi)
		}
		if e.best >= 0 {
			return i
		}
	}
	t.entries = slices.Delete(t.entries, i, i+1)
	return i
}

// exclude takes jobs off the list whose min is more than what is free; it gives the first entry
// that changed.
func (t *Tournament) exclude(free int) int {
	from := len(t.entries)
	for ; t.Mins && t.most > free; t.most-- {
		for p := t.byMin[t.most]; p > 0; p = t.before[p-1] {
			if t.rows.has(p - 1) {
				from = min(from, t.leave(p-1))
			}
		}
	}
	return from
}

// champions is a tree of winners among jobs without GPUs, by place.
type champions struct {
	size int
	node []int32 // node 1 is the root, size+p the leaf of place p; -1 = empty
}

func (c *champions) open(n int) {
	for c.size = 1; c.size < n; {
		c.size *= 2
	}
	c.node = slices.Grow(c.node[:0], 2*c.size)[:2*c.size]
	for i := range c.node {
		c.node[i] = -1
	}
}

func (c *champions) has(p int32) bool { return c.node[c.size+int(p)] >= 0 }

func (c *champions) put(p int32) { c.node[c.size+int(p)] = p }

func (c *champions) build(t *Tournament) {
	for i := c.size - 1; i > 0; i-- {
		c.node[i] = c.better(t, c.node[2*i], c.node[2*i+1])
	}
}

// drop takes a place out. Nodes whose winner is another stay as they are.
func (c *champions) drop(t *Tournament, p int32) {
	i := c.size + int(p)
	c.node[i] = -1
	for i /= 2; i > 0 && c.node[i] == p; i /= 2 {
		c.node[i] = c.better(t, c.node[2*i], c.node[2*i+1])
	}
}

// better is the winner of two, a before b in the list.
func (c *champions) better(t *Tournament, a, b int32) int32 {
	if a < 0 || b >= 0 && t.lessLeft(b, a) {
		return b
	}
	return a
}

// best is the winner among places lo to hi-1, or -1.
func (c *champions) best(t *Tournament, lo, hi int32) int32 {
	left, right := int32(-1), int32(-1)
	for l, r := c.size+int(lo), c.size+int(hi); l < r; l, r = l/2, r/2 {
		if l&1 == 1 {
			left = c.better(t, left, c.node[l])
			l++
		}
		if r&1 == 1 {
			r--
			right = c.better(t, c.node[r], right)
		}
	}
	return c.better(t, left, right)
}
