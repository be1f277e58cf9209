package dally

import (
	"slices"
	"sort"

	"tarry/sim"
	"tarry/sim/cluster"
)

// entry is one contestant.
type entry struct {
	job    sim.JobID
	turn   int32    // breaks ties of tie
	since  sim.Time // start of its wait
	tie    sim.Time // breaks ties of key
	until  sim.Time // until when a ranked.Order's key holds; without one it always does
	sinceS float64  // start of its wait on the float clock, s
	key    float64
}

func (a *entry) before(b *entry) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.turn < b.turn
}

// class indexes the contestants of one demand. Waits begin in the order of the clock, so
// the entries are an append-only list sorted by since, and a tournament tree over it gives
// the first in order among those that have waited long enough in logarithmic time.
type class struct {
	gpus int
	typ  string
	per  cluster.PerGPU // typ and the CPU and memory that are asked with each GPU
	// fits is the finest level that could ever hold the demand.
	fits cluster.Level
	// least is the fewest GPUs on which its jobs start, near the finest level, a machine at least,
	// that could ever hold these, home the same of the demand; counts are multiples of grain: see
	// elastic.go. tried is set when running jobs cannot yield enough for its first.
	least, grain int
	near, home   cluster.Level
	// clock and party are its tenant's, by timers and by share: see tenants.go. 0 without the
	// settings.
	clock, party int32
	tried        bool
	// anywhere is set for models that a placement rule calls insensitive.
	anywhere bool
	// closed keeps the class out of the contest of this instant: its first declined an offer.
	closed bool
	list   []entry // list[i].job == NoJob when it has left
	n      int     // used part of list
	tree   []int32 // tree[i] = index of the best live entry below node i, -1 when none; leaves start at len(list)
	live   int
	soon   []sim.Time // soon[i] = the least until below node i, as tree; empty without a ranked.Order: see due.go
	stale  bool       // the ranked.Order has called all keys old
	pos    []int32    // job -> index in list; shared by all classes, since a job is in one
}

const firstSize = 16

func (c *class) push(e entry) {
	if c.n == len(c.list) {
		size := len(c.list)
		if c.live > size/2 {
			size *= 2
		}
		c.resize(size)
	}
	i := c.n
	c.n++
	c.live++
	c.list[i] = e
	c.pos[e.job] = int32(i)
	c.tree[len(c.list)+i] = int32(i)
	c.climb(i)
	c.holds(i, e.until)
}

func (c *class) remove(j sim.JobID) {
	i := int(c.pos[j])
	c.list[i].job = sim.NoJob
	c.live--
	c.tree[len(c.list)+i] = -1
	c.climb(i)
	c.holds(i, sim.Never)
}

// restore undoes a remove, if nothing was pushed since.
func (c *class) restore(j sim.JobID) {
	i := int(c.pos[j])
	c.list[i].job = j
	c.live++
	c.tree[len(c.list)+i] = int32(i)
	c.climb(i)
	c.holds(i, c.list[i].until)
}

// climb renews the winners above leaf i, up to where somebody else wins as before.
func (c *class) climb(i int) {
	for p := (len(c.list) + i) / 2; p >= 1; p /= 2 {
		w := c.better(c.tree[2*p], c.tree[2*p+1])
		if w == c.tree[p] && w != int32(i) {
			return
		}
		c.tree[p] = w
	}
}

func (c *class) better(a, b int32) int32 {
	if a < 0 || b >= 0 && c.list[b].before(&c.list[a]) {
		return b
	}
	return a
}

// resize moves the live entries to the front of a list of the given size, in the memory that there
// is if it is enough: a class that has grown before grows again for nothing.
func (c *class) resize(size int) {
	old := c.list[:c.n]
	if size <= cap(c.list) && 2*size <= cap(c.tree) {
		c.list, c.tree = c.list[:size], c.tree[:2*size]
	} else {
		c.list, c.tree = make([]entry, size), make([]int32, 2*size)
	}
	if len(c.soon) > 0 {
		c.soon = slices.Grow(c.soon[:0], 2*size)[:2*size]
	}
	n := 0
	for _, e := range old {
		if e.job != sim.NoJob {
			c.list[n] = e
			c.pos[e.job] = int32(n)
			n++
		}
	}
	c.n = n
	for i := range size {
		c.tree[size+i] = -1
		if i < n {
			c.tree[size+i] = int32(i)
		}
	}
	c.build()
	c.buildSoon()
}

// build renews all winners.
func (c *class) build() {
	for p := len(c.list) - 1; p >= 1; p-- {
		c.tree[p] = c.better(c.tree[2*p], c.tree[2*p+1])
	}
}

// best is the first in order of all contestants; nil when there is none.
func (c *class) best() *entry {
	if i := c.tree[1]; i >= 0 {
		return &c.list[i]
	}
	return nil
}

// bestBefore is the first in order of those whose wait began at or before t.
func (c *class) bestBefore(t sim.Time) *entry { return c.bestOf(c.after(t)) }

// bestOf is the first in order of the k that have waited longest, those that have left included.
func (c *class) bestOf(k int) *entry {
	w := int32(-1)
	for l, r := len(c.list), len(c.list)+k; l < r; l, r = l/2, r/2 {
		if l&1 == 1 {
			w = c.better(w, c.tree[l])
			l++
		}
		if r&1 == 1 {
			r--
			w = c.better(w, c.tree[r])
		}
	}
	if w < 0 {
		return nil
	}
	return &c.list[w]
}

// after is the number of entries, live or not, whose wait began at or before t.
func (c *class) after(t sim.Time) int {
	return sort.Search(c.n, func(i int) bool { return c.list[i].since > t })
}

// nextAfter is the earliest begin of a wait after t among the contestants; Never when there is
// none.
func (c *class) nextAfter(t sim.Time) sim.Time {
	size := len(c.list)
	i := size + c.after(t)
	if i >= 2*size {
		return sim.Never
	}
	for c.tree[i] < 0 { // climb until a later subtree has somebody
		for i&1 == 1 {
			if i /= 2; i <= 1 {
				return sim.Never
			}
		}
		i++
	}
	for i < size { // descend to its first
		i *= 2
		if c.tree[i] < 0 {
			i++
		}
	}
	return c.list[i-size].since
}
