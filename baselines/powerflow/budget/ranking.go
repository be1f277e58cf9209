package budget

// ranking finds the first of a fixed number of moves, the lowest of equal ones: a tree over them, each
// node with the better of its two children.
type ranking struct {
	width int // of the leaves, a power of two
	of    []priority
	best  []int32 // node -> move
}

// open makes room for so many moves, all without one.
func (r *ranking) open(n int) {
	for r.width = 1; r.width < n; r.width *= 2 {
	}
	if cap(r.best) < 2*r.width {
		r.of, r.best = make([]priority, r.width), make([]int32, 2*r.width)
	}
	r.of, r.best = r.of[:r.width], r.best[:2*r.width]
	for i := range r.of {
		r.of[i], r.best[r.width+i] = none, int32(i)
	}
	for i := r.width - 1; i > 0; i-- {
		r.best[i] = r.best[2*i]
	}
}

// set gives a move a priority.
func (r *ranking) set(at int, p priority) {
	r.of[at] = p
	for i := (r.width + at) / 2; i > 0; i /= 2 {
		r.best[i] = r.best[2*i]
		if r.of[r.best[2*i+1]].before(r.of[r.best[i]]) {
			r.best[i] = r.best[2*i+1]
		}
	}
}

// first is the move of the highest priority; ok is false where there is none.
func (r *ranking) first() (at int, ok bool) {
	at = int(r.best[1])
	return at, r.of[at] != none
}
