package plan

import (
	"cmp"
	"slices"
)

// Heap orders things that are known by small numbers (jobs, machines) by a key, the smallest key
// first and of equal keys the smallest number. A thing is in a heap at most once. Make it with
// NewHeap.
type Heap[K cmp.Ordered, I ~int32] struct {
	items []heapItem[K, I]
	pos   []int32 // thing -> index + 1; 0 = in none
}

type heapItem[K cmp.Ordered, I ~int32] struct {
	key K
	id  I
}

func (a heapItem[K, I]) before(b heapItem[K, I]) bool {
	return a.key < b.key || a.key == b.key && a.id < b.id
}

// NewHeap makes an empty heap of the things 0 to len(pos)-1. pos is zero and belongs to the heap;
// heaps that no thing is in two of at a time may share one.
func NewHeap[K cmp.Ordered, I ~int32](pos []int32) Heap[K, I] { return Heap[K, I]{pos: pos} }

// Clone gives a copy over pos, which is a copy of the original's; nil makes one.
func (h *Heap[K, I]) Clone(pos []int32) Heap[K, I] {
	if pos == nil {
		pos = slices.Clone(h.pos)
	}
	return Heap[K, I]{items: slices.Clone(h.items), pos: pos}
}

// First is the thing with the smallest key, which stays; ok is false when the heap is empty.
func (h *Heap[K, I]) First() (id I, key K, ok bool) {
	if len(h.items) == 0 {
		return id, key, false
	}
	return h.items[0].id, h.items[0].key, true
}

// Len is how many things are in it.
func (h *Heap[K, I]) Len() int { return len(h.items) }

// At is one of its things, 0 <= i < Len(); the order follows from the calls that were made, and
// has no meaning but for 0, the first. It is for going through all of them.
func (h *Heap[K, I]) At(i int) I { return h.items[i].id }

// Set adds a thing or changes its key.
func (h *Heap[K, I]) Set(id I, key K) {
	i := int(h.pos[id]) - 1
	if i < 0 {
		i = len(h.items)
		h.items = append(h.items, heapItem[K, I]{})
	}
	h.items[i] = heapItem[K, I]{key, id}
	h.up(h.down(i))
}

// Drop removes a thing if it is there. Among heaps with one pos, it is the heap that has it.
func (h *Heap[K, I]) Drop(id I) {
	i := int(h.pos[id]) - 1
	if i < 0 {
		return
	}
	h.pos[id] = 0
	n := len(h.items) - 1
	last := h.items[n]
	h.items = h.items[:n]
	if i < n {
		h.items[i] = last
		h.up(h.down(i))
	}
}

func (h *Heap[K, I]) up(i int) {
	it := h.items[i]
	for ; i > 0 && it.before(h.items[(i-1)/2]); i = (i - 1) / 2 {
		h.put(i, h.items[(i-1)/2])
	}
	h.put(i, it)
}

// down sinks the item at i and gives its new place.
func (h *Heap[K, I]) down(i int) int {
	it := h.items[i]
	for {
		c := 2*i + 1
		if c >= len(h.items) {
			break
		}
		if c+1 < len(h.items) && h.items[c+1].before(h.items[c]) {
			c++
		}
		if !h.items[c].before(it) {
			break
		}
		h.put(i, h.items[c])
		i = c
	}
	h.put(i, it)
	return i
}

func (h *Heap[K, I]) put(i int, it heapItem[K, I]) {
	h.items[i] = it
	h.pos[it.id] = int32(i + 1)
}
