package replay

import "slices"

// blocks places jobs on nodes from an empty cluster: a job of a power of two GPUs gets a free block
// of its size, else a part of the largest one, else empty nodes.
type blocks struct {
	nodes, per int32
	used       []int32
	next       int32     // the first empty node
	lists      [][]int32 // by the exponent of the free block, nodes with the least used first
}

func newBlocks(gpus, per int32) blocks {
	b := blocks{nodes: gpus / per, per: per, used: make([]int32, gpus/per)}
	for n := int32(1); n < per; n *= 2 {
		b.lists = append(b.lists, nil)
	}
	return b
}

func (b *blocks) clear() {
	clear(b.used)
	b.next = 0
	for i := range b.lists {
		b.lists[i] = b.lists[i][:0]
	}
}

// put gives the first GPU of n, -1 where there are no such GPUs.
func (b *blocks) put(n int32) int32 {
	if n < b.per {
		e := 0
		for 1<<e < n {
			e++
		}
		if e < len(b.lists) && len(b.lists[e]) > 0 {
			return b.into(e, n)
		}
		for k := len(b.lists) - 1; k > e; k-- {
			if len(b.lists[k]) > 0 {
				return b.into(k, n)
			}
		}
	}
	need := (n + b.per - 1) / b.per
	if b.next+need > b.nodes {
		return -1
	}
	first := b.next
	b.next += need
	for i := first; i < b.next; i++ {
		b.used[i] = b.per
	}
	if n < b.per {
		b.used[first] = n
		b.list(first)
	}
	return first * b.per
}

// into takes n GPUs of the first node of a list.
func (b *blocks) into(k int, n int32) int32 {
	node := b.lists[k][0]
	b.lists[k] = slices.Delete(b.lists[k], 0, 1)
	first := node*b.per + b.used[node]
	b.used[node] += n
	b.list(node)
	return first
}

// list puts a node with free GPUs behind nodes of its block size that have as many in use.
func (b *blocks) list(node int32) {
	free := b.per - b.used[node]
	if free == 0 {
		return
	}
	e := 0
	for free&(1<<e) == 0 {
		e++
	}
	l := b.lists[e]
	at := len(l)
	for at > 0 && b.used[l[at-1]] > b.used[node] {
		at--
	}
	b.lists[e] = slices.Insert(l, at, node)
}

// settle places jobs in order, and finds out who gets GPUs that some job has had before.
func (r *Run) settle(jobs []*Job) {
	r.place.clear()
	for _, j := range jobs {
		if j.gpus == 0 {
			continue
		}
		j.node = r.place.put(j.gpus)
		key := [2]int32{j.node, j.gpus}
		j.cached = r.cache[key]
		r.cache[key] = true
	}
}
