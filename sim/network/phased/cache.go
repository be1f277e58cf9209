package phased

import (
	"math"
	"slices"
)

const (
	// cacheSlots is the number of groups that a Cache holds, keyWords the length of the longest key.
	cacheSlots, keyWords = 1024, 96
)

// Cache is a Group that keeps the results of groups. Offsets of jobs without a pace are rounded to
// sixty-fourths of the longest iteration alone, so that groups meet again; the multiset of jobs and
// the links up to their names are the key. Its memory is allocated at the first use.
type Cache struct {
	Group
	// Off plays every group anew, with the same results.
	Off bool
	// Hits is the number of groups that were found, Plays the number of those played or solved.
	Hits, Plays int

	key  []uint64
	keys []uint64 // by slot: keyWords each
	kept []result // by slot
}

// result is what a slot of a Cache holds.
type result struct {
	words int // of the key; 0 = a free slot
	end   Outcome
	got   [MaxJobs]Result
}

// Settle is as Group's, after the rounding.
func (c *Cache) Settle(jobs []Job, links []float64, out []Result) Outcome {
	if !c.form.read(jobs, links, !c.Exact) {
		return unsettled(out)
	}
	end := c.find()
	c.report(jobs, out, end)
	return end
}

// find gives the kept result of the form, or solves it and keeps that.
func (c *Cache) find() Outcome {
	if c.Off || c.form.n < 2 {
		c.Plays++
		return c.solve()
	}
	hash := c.spell()
	if len(c.key) > keyWords {
		c.Plays++
		return c.solve()
	}
	if c.kept == nil {
		c.kept, c.keys = make([]result, cacheSlots), make([]uint64, cacheSlots*keyWords)
	}
	at := int(hash % cacheSlots)
	slot, words := &c.kept[at], c.keys[at*keyWords:(at+1)*keyWords]
	if slot.words == len(c.key) && slices.Equal(words[:slot.words], c.key) {
		c.Hits++
		c.got = slot.got
		return slot.end
	}
	c.Plays++
	end := c.solve()
	*slot = result{words: copy(words, c.key), end: end, got: c.got}
	return end
}

// spell writes the key of the form and gives its hash.
func (c *Cache) spell() uint64 {
	f, bits := &c.form, math.Float64bits
	c.key = append(c.key[:0], uint64(f.n), uint64(len(f.links)), uint64(c.Events))
	for i := range f.n {
		m := &f.jobs[i]
		c.key = append(c.key, bits(m.compute), bits(m.volume), bits(m.release), bits(m.weight),
			uint64(uint8(m.level)), bits(m.offset), bits(m.pace), bits(m.most))
	}
	for l := range f.links {
		k, at := &f.links[l], len(c.key)
		c.key = append(c.key, bits(k.capacity), 0)
		for i := range f.n {
			if k.load[i] > 0 {
				c.key[at+1] |= 1 << i
				c.key = append(c.key, bits(k.load[i]))
			}
		}
	}
	if c.Exact {
		c.key[0] |= 1 << 32
	}
	hash := uint64(0)
	for _, w := range c.key {
		hash = mix(hash ^ w)
	}
	return hash
}
