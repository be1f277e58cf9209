package contest

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Entry is one contestant.
type Entry struct {
	// Job is who contests.
	Job sim.JobID
	// Turn breaks ties of Tie.
	Turn int32
	// Since is the start of its wait, SinceS the same by a Clock, in seconds.
	Since  sim.Time
	SinceS float64
	// Key is its place in the order: smaller chooses first. Tie breaks ties of it.
	Key float64
	Tie sim.Time
	// until is when the key of a Ranker may be another; without one it holds for ever.
	until sim.Time
}

// Before reports whether a contestant chooses before another of the same party.
func (a *Entry) Before(b *Entry) bool {
	if a.Key != b.Key {
		return a.Key < b.Key
	}
	if a.Tie != b.Tie {
		return a.Tie < b.Tie
	}
	return a.Turn < b.Turn
}

// demand is what the jobs of a class have in common.
type demand struct {
	// GPUs is what they ask for, Least the fewest on which they start; counts are multiples of
	// Step.
	GPUs, Least, Step int
	// Kind is what Config.Places distinguishes.
	Kind int32
	// clock and party are Config.Owners'.
	clock, party int32
	// Per is the GPU type, and the CPU and memory that are asked with each GPU.
	Per cluster.PerGPU
}

// Class indexes the contestants of one demand. Waits begin in the order of the clock, so
// the entries are an append-only list sorted by Since, and a tournament tree over it gives
// the first in order among the jobs that have waited long enough in logarithmic time. Who renews a
// lease enters and leaves within an instant: a few fresh entries wait for their place in the tree.
type Class struct {
	demand
	// Fits is the finest level that could ever hold the demand, Home the same, a machine at least;
	// Near is the level of the fewest GPUs on which its jobs start.
	Fits, Near, Home cluster.Level
	// Closed keeps the class out of the contest of this instant: its first declined an offer.
	Closed bool
	// Tried is a mark of Config.Sizes: running jobs cannot yield enough for the first of the class.
	Tried bool
	// Live is the number of contestants.
	Live int

	plain bool       // any free GPU would do: no type, CPU or memory is asked for
	usual bool       // besides, it has one size, and timers alone decide where
	list  []Entry    // list[i].Job == NoJob when it has left
	n     int        // used part of list
	in    int        // entries that are in the tree; later ones are fresh: they are compared one by one
	head  int        // no earlier entry is live
	tree  []int32    // tree[i] = index of the best live entry below node i, -1 when none; leaves start at len(list)
	soon  []sim.Time // soon[i] = the least until below node i, as tree; empty without a Ranker: see due.go
	stale bool       // the Ranker has called all keys old
	pos   []int32    // job -> index in list; shared by all classes, since a job is in one
}

const (
	firstSize = 16
	mostFresh = 4
)

func (c *Class) push(e Entry) {
	if c.n == len(c.list) {
		size := len(c.list)
		if c.Live > size/2 {
			size *= 2
		}
		c.resize(size)
	}
	i := c.n
	c.n++
	c.Live++
	c.list[i] = e
	c.pos[e.Job] = int32(i)
	if len(c.soon) > 0 || c.n-c.in > mostFresh {
		c.plant()
	}
	c.holds(i, e.until)
}

// plant puts the fresh entries into the tree.
func (c *Class) plant() {
	for ; c.in < c.n; c.in++ {
		if c.list[c.in].Job != sim.NoJob {
			c.tree[len(c.list)+c.in] = int32(c.in)
			c.climb(c.in)
		}
	}
}

// Remove takes a contestant out of the class.
func (c *Class) Remove(j sim.JobID) {
	i := int(c.pos[j])
	c.list[i].Job = sim.NoJob
	c.Live--
	if i < c.in {
		c.tree[len(c.list)+i] = -1
		c.climb(i)
	}
	c.holds(i, sim.Never)
}

// restore undoes a Remove, if nothing was pushed since.
func (c *Class) restore(j sim.JobID) {
	i := int(c.pos[j])
	c.list[i].Job = j
	c.Live++
	c.head = min(c.head, i)
	if i < c.in {
		c.tree[len(c.list)+i] = int32(i)
		c.climb(i)
	}
	c.holds(i, c.list[i].until)
}

// climb renews the winners above leaf i, up to where another entry wins as before.
func (c *Class) climb(i int) {
	for p := (len(c.list) + i) / 2; p >= 1; p /= 2 {
		w := c.better(c.tree[2*p], c.tree[2*p+1])
		if w == c.tree[p] && w != int32(i) {
			return
		}
		c.tree[p] = w
	}
}

func (c *Class) better(a, b int32) int32 {
	if a < 0 || b >= 0 && c.list[b].Before(&c.list[a]) {
		return b
	}
	return a
}

// resize moves the live entries to the front of a list of the given size, in the memory that there
// is if it is enough: a class that has grown before grows again for nothing.
func (c *Class) resize(size int) {
	old := c.list[:c.n]
	if size <= cap(c.list) && 2*size <= cap(c.tree) {
		c.list, c.tree = c.list[:size], c.tree[:2*size]
	} else {
		c.list, c.tree = make([]Entry, size), make([]int32, 2*size)
	}
	if len(c.soon) > 0 {
		c.soon = slices.Grow(c.soon[:0], 2*size)[:2*size]
	}
	n := 0
	for _, e := range old {
		if e.Job != sim.NoJob {
			c.list[n] = e
			c.pos[e.Job] = int32(n)
			n++
		}
	}
	c.n, c.in, c.head = n, n, 0
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
func (c *Class) build() {
	for p := len(c.list) - 1; p >= 1; p-- {
		c.tree[p] = c.better(c.tree[2*p], c.tree[2*p+1])
	}
}

// Best is the first in order of all contestants; nil when there is none.
func (c *Class) Best() *Entry {
	return c.entry(c.fresh(c.tree[1], c.n))
}

// fresh is the better of w and the fresh entries among the first k.
func (c *Class) fresh(w int32, k int) int32 {
	for i := c.in; i < k; i++ {
		if c.list[i].Job != sim.NoJob {
			w = c.better(w, int32(i))
		}
	}
	return w
}

// entry is the entry at i, nil for -1.
func (c *Class) entry(i int32) *Entry {
	if i < 0 {
		return nil
	}
	return &c.list[i]
}

// oldest is when the wait of the first live entry began; Never when there is none.
func (c *Class) oldest() sim.Time {
	for ; c.head < c.n; c.head++ {
		if e := &c.list[c.head]; e.Job != sim.NoJob {
			return e.Since
		}
	}
	return sim.Never
}

// bestBefore is the first in order of the jobs whose wait began at or before t.
func (c *Class) bestBefore(t sim.Time) *Entry {
	if c.oldest() > t {
		return nil
	}
	return c.bestOf(c.after(t))
}

// bestOf is the first in order of the k that have waited longest, including jobs that have left.
func (c *Class) bestOf(k int) *Entry {
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
	return c.entry(c.fresh(w, k))
}

// after is the number of entries, live or not, whose wait began at or before t.
func (c *Class) after(t sim.Time) int {
	lo, hi := 0, c.n
	for lo < hi {
		if i := int(uint(lo+hi) >> 1); c.list[i].Since > t {
			hi = i
		} else {
			lo = i + 1
		}
	}
	return lo
}

// nextAfter is the earliest begin of a wait after t among the contestants; Never when there is
// none.
func (c *Class) nextAfter(t sim.Time) sim.Time {
	if since := c.oldest(); since > t {
		return since
	}
	c.plant()
	size := len(c.list)
	i := size + c.after(t)
	if i >= 2*size {
		return sim.Never
	}
	for c.tree[i] < 0 { // climb until a later subtree has an entry
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
	return c.list[i-size].Since
}
