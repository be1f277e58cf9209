package phased

import "math"

// visits are the states in which an iteration began, in order.
type visits struct {
	n          int     // members
	cell, same float64 // the edge of a cell; the difference within which states are one
	list       []visit
	states     []state // n of each visit
	slots      []int32 // by hash: the first visit of a cell + 1; 0 = free
}

// visit is one of them.
type visit struct {
	at     float64
	event  int
	begins int   // before it
	latest int32 // of a first visit: the last one of its cell
	hash   uint64
}

// state is what the future of a member depends on, and the number of iterations done, of the running
// one the part.
type state struct {
	compute, send, slot float64
	done                float64
}

func (v *visits) reset(n int, cell, same float64) {
	v.n, v.cell, v.same = n, cell, same
	v.list, v.states = v.list[:0], v.states[:0]
	v.room(64)
}

// room empties the slots.
func (v *visits) room(n int) {
	if cap(v.slots) < n {
		v.slots = make([]int32, n)
	}
	v.slots = v.slots[:n]
	clear(v.slots)
}

// add notes the state of the members and gives the visit.
func (v *visits) add(f *form, at visit) int {
	for i := range f.n {
		m := &f.jobs[i]
		s := state{done: float64(m.count)}
		s.compute, s.send, s.slot = m.state(at.at)
		if m.stage != waits {
			s.done -= (s.compute + s.send) / (m.compute + m.volume)
		}
		h := uint64(v.round(s.compute))*0x9e3779b97f4a7c15 ^ uint64(v.round(s.send))
		if m.pace > 0 {
			h = mix(h) ^ uint64(v.round(s.slot))
		}
		at.hash = mix(at.hash ^ h)
		v.states = append(v.states, s)
	}
	v.list = append(v.list, at)
	return len(v.list) - 1
}

// round gives the cell of a time; the shift, the square of the golden section, keeps round numbers
// from the edges of cells.
func (v *visits) round(x float64) int64 { return int64(math.Floor(x/v.cell + 0.38196601125)) }

// row is the states of a visit.
func (v *visits) row(at int) []state { return v.states[at*v.n : (at+1)*v.n] }

// last gives the visit before this one in the same state; if there is none, the first one in its
// cell, and not same; -1 = it is the first.
func (v *visits) last(at int) (from int, same bool) {
	if 2*len(v.list) > len(v.slots) {
		v.room(2 * len(v.slots))
		for k := range v.list[:at] {
			if s := v.find(k); v.slots[s] == 0 {
				v.slots[s] = int32(k + 1)
			}
		}
	}
	slot := v.find(at)
	first := int(v.slots[slot]) - 1
	if first < 0 {
		v.slots[slot], v.list[at].latest = int32(at+1), int32(at)
		return -1, false
	}
	from = int(v.list[first].latest)
	v.list[first].latest = int32(at)
	other := v.row(from)
	for i, a := range v.row(at) {
		b := other[i]
		if math.Abs(a.compute-b.compute)+math.Abs(a.send-b.send)+math.Abs(a.slot-b.slot) > v.same {
			return first, false
		}
	}
	return from, true
}

// find gives the slot of a visit's cell, or the free one for it.
func (v *visits) find(at int) int {
	mask := len(v.slots) - 1
	for s := int(v.list[at].hash) & mask; ; s = (s + 1) & mask {
		k := int(v.slots[s]) - 1
		if k < 0 || v.list[k].hash == v.list[at].hash && v.beside(k, at) {
			return s
		}
	}
}

// beside reports whether two visits are in one cell.
func (v *visits) beside(a, b int) bool {
	other := v.row(b)
	for i, s := range v.row(a) {
		o := other[i]
		if v.round(s.compute) != v.round(o.compute) || v.round(s.send) != v.round(o.send) ||
			v.round(s.slot) != v.round(o.slot) {
			return false
		}
	}
	return true
}

// after gives the first visit from an event on; there are two or more.
func (v *visits) after(event int) int {
	for k := range v.list {
		if v.list[k].event >= event {
			return min(k, len(v.list)-2)
		}
	}
	return 0
}
