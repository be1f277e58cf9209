// Package knapsack solves multiple-choice knapsacks exactly: of each of many groups (jobs) at most one
// item is taken, each has a weight in whole units (GPUs) and a value, and the weights together are at
// most a capacity:
//
//	maximise sum value  subject to  sum weight <= capacity, at most one item of each group
//
// The table of groups x capacities is filled group by group, so a solve takes steps in proportion to
// the capacity and the items of all groups. A group's row ends where the heaviest items of the groups
// so far end. internal/choice solves problems of several capacities, with bounds in place of a table.
package knapsack

import "slices"

// alike is by how much, relative, values of choices may differ and count as equal: sums of the same
// items in another order differ by less.
const alike = 1e-12

// Solver has a problem and its answer. The zero value is an empty problem of capacity 0. It allocates
// nothing once it has seen a problem of the size.
type Solver struct {
	capacity int
	first    []int32 // of each group its first item, and at the end the number of items
	items    []item
	rows     [2][]float64 // the most value by capacity, of the groups before and of those and the next
	took     []int32      // of each group its row: by capacity the item taken, -1 = none
	starts   []int        // of each group where its row begins in took
	reach    []int        // of each group up to which capacity its row differs
	picked   []int32
}

type item struct {
	weight int32
	value  float64
}

// Open begins a problem. A capacity below 0 is 0.
func (s *Solver) Open(capacity int) {
	s.capacity = max(capacity, 0)
	s.first, s.items, s.picked = append(s.first[:0], 0), s.items[:0], s.picked[:0]
}

// Group begins the next group; it has no item yet.
func (s *Solver) Group() { s.first = append(s.first, int32(len(s.items))) }

// Item adds an item to the last group. An item without value, or heavier than the capacity, is not taken.
// Of items that serve equally well the first is taken.
func (s *Solver) Item(weight int, value float64) {
	s.items = append(s.items, item{int32(min(max(weight, 0), s.capacity+1)), value})
	s.first[len(s.first)-1] = int32(len(s.items))
}

// Solve gives the most value, and the least weight that has it.
func (s *Solver) Solve() (value float64, weight int) {
	groups := len(s.first) - 1
	s.took, s.starts, s.reach = s.took[:0], s.starts[:0], s.reach[:0]
	for i := range s.rows {
		s.rows[i] = slices.Grow(s.rows[i][:0], s.capacity+1)[:s.capacity+1]
	}
	s.rows[0][0] = 0
	reach := 0
	for g := range groups {
		reach = s.row(g, reach)
	}
	best := s.rows[groups%2][:reach+1]
	most := best[reach]
	for weight < reach && best[weight] < most-float64(alike*most) {
		weight++
	}
	value = best[weight]
	s.picked = slices.Grow(s.picked[:0], groups)[:groups]
	left := weight
	for g := groups - 1; g >= 0; g-- {
		left = min(left, s.reach[g])
		at := s.took[s.starts[g]+left]
		if s.picked[g] = at; at >= 0 {
			s.picked[g] -= s.first[g]
			left -= int(s.items[at].weight)
		}
	}
	return value, weight
}

// row fills the row of a group from the one before, which is of capacities up to a reach, and gives its
// own reach.
func (s *Solver) row(g, reach int) int {
	before, now := s.rows[g%2], s.rows[1-g%2]
	items := s.items[s.first[g]:s.first[g+1]]
	own := 0
	for i := range items {
		if w := int(items[i].weight); w <= s.capacity && items[i].value > 0 {
			own = max(own, w)
		}
	}
	wide := min(reach+own, s.capacity)
	for c := reach + 1; c <= wide; c++ {
		before[c] = before[reach]
	}
	copy(now[:wide+1], before[:wide+1])
	start := len(s.took)
	s.took = slices.Grow(s.took, wide+1)[:start+wide+1]
	took := s.took[start:]
	for c := range took {
		took[c] = -1
	}
	for i := range items {
		w, value := int(items[i].weight), items[i].value
		if w > wide || !(value > 0) {
			continue
		}
		from, to, took := before[:wide+1-w], now[w:wide+1], took[w:]
		for c, x := range from {
			if x+value > to[c] {
				to[c], took[c] = x+value, s.first[g]+int32(i)
			}
		}
	}
	s.starts, s.reach = append(s.starts, start), append(s.reach, wide)
	return wide
}

// Picked is which of its items a group has in the last answer, by their order; -1 = none.
func (s *Solver) Picked(group int) int { return int(s.picked[group]) }

// Greedy is a rule in place of Solve: each group begins without an item, and again and again the group
// whose next item adds most value per weight takes it in place of the one before, of equals the first.
// Items of a group are in the order in which it takes them; a group whose next item adds no value, or
// does not fit, takes no later one.
func (s *Solver) Greedy() (value float64, weight int) {
	groups := len(s.first) - 1
	s.picked = slices.Grow(s.picked[:0], groups)[:groups]
	for g := range s.picked {
		s.picked[g] = -1
	}
	s.rows[0] = slices.Grow(s.rows[0][:0], groups)[:groups] // by group: what its next item adds per weight
	gains := s.rows[0]
	for g := range gains {
		gains[g] = s.gain(g)
	}
	for {
		best := -1
		for g, x := range gains {
			if x > 0 && (best < 0 || x > gains[best]) {
				best = g
			}
		}
		if best < 0 {
			return value, weight
		}
		more, v := s.step(best)
		if weight+more > s.capacity {
			gains[best] = 0
			continue
		}
		value, weight = value+v, weight+more
		s.picked[best]++
		gains[best] = s.gain(best)
	}
}

// gain is what the next item of a group adds per weight; 0 without one.
func (s *Solver) gain(g int) float64 {
	if s.first[g]+s.picked[g]+1 >= s.first[g+1] {
		return 0
	}
	w, v := s.step(g)
	return v / float64(max(w, 1))
}

// step is by how much the next item of a group is heavier, and worth more.
func (s *Solver) step(g int) (weight int, value float64) {
	at := s.first[g] + s.picked[g]
	weight, value = int(s.items[at+1].weight), s.items[at+1].value
	if s.picked[g] >= 0 {
		weight, value = weight-int(s.items[at].weight), value-s.items[at].value
	}
	return weight, value
}
