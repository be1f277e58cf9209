package gandiva

// heap is an indexed heap of servers, smallest (key, server) first. Heaps that no server is in twice
// share one pos: server -> index + 1, 0 = in none.
type heap struct {
	items []item
	pos   []int32
}

type item struct{ key, server int32 }

func (a item) before(b item) bool { return a.key < b.key || a.key == b.key && a.server < b.server }

// top is the first server, -1 when the heap is empty.
func (h *heap) top() int32 {
	if len(h.items) == 0 {
		return -1
	}
	return h.items[0].server
}

// set adds a server or changes its key.
func (h *heap) set(server, key int32) {
	i := int(h.pos[server]) - 1
	if i < 0 {
		i = len(h.items)
		h.items = append(h.items, item{})
	}
	h.items[i] = item{key, server}
	h.up(h.down(i))
}

// drop removes a server if it is there.
func (h *heap) drop(server int32) {
	i := int(h.pos[server]) - 1
	if i < 0 {
		return
	}
	h.pos[server] = 0
	n := len(h.items) - 1
	last := h.items[n]
	h.items = h.items[:n]
	if i < n {
		h.items[i] = last
		h.up(h.down(i))
	}
}

func (h *heap) up(i int) {
	it := h.items[i]
	for ; i > 0 && it.before(h.items[(i-1)/2]); i = (i - 1) / 2 {
		h.put(i, h.items[(i-1)/2])
	}
	h.put(i, it)
}

func (h *heap) down(i int) int {
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

func (h *heap) put(i int, it item) {
	h.items[i] = it
	h.pos[it.server] = int32(i + 1)
}
