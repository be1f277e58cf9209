package sim

// item is a pending event of one job: the earliest thing that will happen to it.
type item struct {
	at   Time
	seq  int64
	row  int32
	kind EventKind
}

func (a *item) before(b *item) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.seq < b.seq
}

// queue is a binary heap of values with at most one item per row, so nothing in it is
// ever stale and its size is the number of jobs that hold GPUs.
type queue struct {
	heap []item
	pos  []int32 // row -> index in heap + 1; 0 = not in it
	seq  int64
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
		if it := &q.heap[p]; it.at == at && it.kind == kind {
			return
		}
	}
	q.seq++
	it := item{at: at, kind: kind, seq: q.seq, row: row}
	if p < 0 {
		p = len(q.heap)
		q.heap = append(q.heap, it)
	} else {
		q.heap[p] = it
		if q.down(p) {
			return
		}
	}
	q.up(p)
}

func (q *queue) remove(p int) {
	q.pos[q.heap[p].row] = 0
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if p == n {
		return
	}
	q.heap[p] = last
	if !q.down(p) {
		q.up(p)
	}
}

func (q *queue) up(p int) {
	it := q.heap[p]
	for p > 0 {
		parent := (p - 1) / 2
		if !it.before(&q.heap[parent]) {
			break
		}
		q.heap[p] = q.heap[parent]
		q.pos[q.heap[p].row] = int32(p + 1)
		p = parent
	}
	q.heap[p] = it
	q.pos[it.row] = int32(p + 1)
}

// down reports whether the item moved.
func (q *queue) down(p int) bool {
	it, start := q.heap[p], p
	for {
		c := 2*p + 1
		if c >= len(q.heap) {
			break
		}
		if c+1 < len(q.heap) && q.heap[c+1].before(&q.heap[c]) {
			c++
		}
		if !q.heap[c].before(&it) {
			break
		}
		q.heap[p] = q.heap[c]
		q.pos[q.heap[p].row] = int32(p + 1)
		p = c
	}
	q.heap[p] = it
	q.pos[it.row] = int32(p + 1)
	return p != start
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
