package sim

// item is a pending event of one job: the earliest thing that will happen to it.
type item struct {
	at Time
	// order has the kind in its highest byte, below it the sequence in which items came.
	order uint64
	row   int32
}

func (a *item) kind() EventKind { return EventKind(a.order >> 56) }

func (a *item) before(b *item) bool { return a.at < b.at || a.at == b.at && a.order < b.order }

// queue is a binary heap of values with at most one item per row, so nothing in it is
// ever stale and its size is the number of jobs that hold GPUs.
type queue struct {
	heap []item
	pos  []int32 // row -> index in heap + 1; 0 = not in it
	seq  uint64
}

// put sets a row's item, or removes it when at is Never.
func (q *queue) put(row int32, at Time, kind EventKind) {
	p := int(q.pos[row]) - 1
	if at == Never {
		if p >= 0 {
			q.remove(p)
		}
		return
	}
	if p >= 0 {
		if it := &q.heap[p]; it.at == at && it.kind() == kind {
			return
		}
	}
	q.seq++
	it := item{at: at, order: uint64(kind)<<56 | q.seq, row: row}
	if p < 0 {
		q.heap = append(q.heap, it)
		q.up(len(q.heap)-1, it)
		return
	}
	q.up(q.hollow(p), it)
}

func (q *queue) remove(p int) {
	q.pos[q.heap[p].row] = 0
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if p < n {
		q.up(q.hollow(p), last)
	}
}

// up puts an item at p, or above where it comes before what is there.
func (q *queue) up(p int, it item) {
	h, pos := q.heap, q.pos
	for p > 0 {
		parent := int(uint(p-1) / 2)
		if !it.before(&h[parent]) {
			break
		}
		h[p] = h[parent]
		pos[h[p].row] = int32(p + 1)
		p = parent
	}
	h[p] = it
	pos[it.row] = int32(p + 1)
}

// hollow moves the items below p up, each time the first, and gives the free place at the end of that
// path. What is put there is mostly late, and moves up by little or nothing.
func (q *queue) hollow(p int) int {
	h, pos := q.heap, q.pos
	c := 2*p + 1
	for ; c+1 < len(h); c = 2*p + 1 {
		a, b := &h[c], &h[c+1]
		if a.at == b.at && b.order < a.order {
			c++
		}
		if b.at < a.at {
			c++
		}
		h[p] = h[c]
		pos[h[p].row] = int32(p + 1)
		p = c
	}
	if c < len(h) {
		h[p] = h[c]
		pos[h[p].row] = int32(p + 1)
		p = c
	}
	return p
}

// next is the time of the earliest item, Never when there is none.
func (q *queue) next() Time {
	if len(q.heap) == 0 {
		return Never
	}
	return q.heap[0].at
}

func (q *queue) copyFrom(o *queue) {
	q.heap = append(q.heap[:0], o.heap...)
	q.pos = append(q.pos[:0], o.pos...)
	q.seq = o.seq
}
