package lp

import "math"

// etas is the basis as a product of elementary matrices: each is the identity but for one column.
type etas struct {
	row   []int     // which column that is
	pivot []float64 // its entry there
	start []int     // of its other entries
	index []int32
	value []float64
}

func (f *etas) reset() {
	f.row, f.pivot, f.start = f.row[:0], f.pivot[:0], f.start[:0]
	f.index, f.value = f.index[:0], f.value[:0]
}

// push appends the matrix whose column r is w. Entries that are far below the pivot and the
// rounding of others are dropped.
func (f *etas) push(w []float64, r int) {
	f.row, f.pivot, f.start = append(f.row, r), append(f.pivot, w[r]), append(f.start, len(f.index))
	for i, x := range w {
		if i != r && math.Abs(x) > dropped {
			f.index, f.value = append(f.index, int32(i)), append(f.value, x)
		}
	}
}

// end is where the entries of matrix k end.
func (f *etas) end(k int) int {
	if k+1 < len(f.start) {
		return f.start[k+1]
	}
	return len(f.index)
}

// solve replaces w by the solution of B x = w.
func (f *etas) solve(w []float64) {
	for k, r := range f.row {
		x := w[r]
		if x == 0 {
			continue
		}
		x /= f.pivot[k]
		w[r] = x
		at, to := f.start[k], f.end(k)
		value := f.value[at:to]
		for j, i := range f.index[at:to] {
			w[i] -= float64(value[j] * x)
		}
	}
}

// solveT replaces y by the solution of y B = y.
func (f *etas) solveT(y []float64) {
	to := len(f.index)
	for k := len(f.row) - 1; k >= 0; k-- {
		at := f.start[k]
		sum := y[f.row[k]]
		value := f.value[at:to]
		for j, i := range f.index[at:to] {
			sum -= float64(value[j] * y[i])
		}
		y[f.row[k]] = sum / f.pivot[k]
		to = at
	}
}

// order is the scratch of arranging the columns of a basis such that little fills in.
type order struct {
	columns, rows []int // basic structural columns that are left to place, and how many of them each row has
	count         []int // rows of a column that are left
	front, back   []plan
	byRow         [][]int // basic columns of each row
	cells         []int
	todo          []int // rows and, as ^index, columns with one entry left
	gone          []bool
}

// plan is a column (of order.columns) and its pivot row.
type plan struct{ column, row int }

// factor makes the product form of the basis anew. Columns that depend on others leave the basis,
// and rows without a column get their logical one; it reports whether the basis was as it should
// be.
func (s *solver) factor() bool {
	s.eta.reset()
	s.updates = 0
	for i := range s.m {
		s.head[i] = -1
	}
	o := &s.order
	o.columns = o.columns[:0]
	for j, p := range s.place {
		switch {
		case p == Basic && j >= s.n:
			s.head[j-s.n] = j
		case p == Basic:
			o.columns = append(o.columns, j)
		}
	}
	good := true
	s.arrange()
	for _, p := range o.front {
		good = s.pivotIn(o.columns[p.column], p.row) && good
	}
	for i := len(o.back) - 1; i >= 0; i-- {
		good = s.pivotIn(o.columns[o.back[i].column], o.back[i].row) && good
	}
	for i, j := range s.head {
		if j < 0 {
			good = false
			s.head[i], s.place[s.n+i] = s.n+i, Basic
		}
	}
	return good
}

// pivotIn multiplies the product by a column, with its pivot in a planned row unless another is
// much larger.
func (s *solver) pivotIn(j, planned int) bool {
	w := s.alpha
	clear(w)
	s.spread(w, j, 1)
	s.eta.solve(w)
	most := 0.0
	for i, x := range w {
		if s.head[i] < 0 {
			most = max(most, math.Abs(x))
		}
	}
	if most < singular {
		s.leave(j)
		return false
	}
	r := planned
	if r < 0 || s.head[r] >= 0 || math.Abs(w[r]) < stable*most {
		r = -1
		for i, x := range w {
			if s.head[i] < 0 && math.Abs(x) >= 0.5*most && (r < 0 || s.order.rows[i] < s.order.rows[r]) {
				r = i
			}
		}
	}
	s.head[r] = j
	s.eta.push(w, r)
	return true
}

// leave takes a column out of the basis, to its nearer bound.
func (s *solver) leave(j int) {
	x := s.x[j]
	switch lo, hi := s.lo[j], s.hi[j]; {
	case math.IsInf(lo, -1) && math.IsInf(hi, 1):
		s.place[j], s.x[j] = Free, 0
	case math.IsInf(lo, -1) || !math.IsInf(hi, 1) && hi-x < x-lo:
		s.place[j], s.x[j] = AtUpper, hi
	default:
		s.place[j], s.x[j] = AtLower, lo
	}
}

// spread adds a multiple of a column to w.
func (s *solver) spread(w []float64, j int, by float64) {
	if j >= s.n {
		w[j-s.n] += by
		return
	}
	for k := s.start[j]; k < s.start[j+1]; k++ {
		w[s.index[k]] += float64(s.value[k] * by)
	}
}

// arrange plans the order and pivot rows of the basic structural columns. A row with one column
// left: that column comes next, it has nothing in the pivot rows before. A column with one row
// left: it comes last, nothing after it has that row. Else the column with fewest rows left, at its
// row with fewest columns.
func (s *solver) arrange() {
	o := &s.order
	s.count()
	o.front, o.back = o.front[:0], o.back[:0]
	for next := 0; ; {
		for len(o.todo) > 0 {
			x := o.todo[len(o.todo)-1]
			o.todo = o.todo[:len(o.todo)-1]
			if x >= 0 {
				if c := s.columnIn(x); s.head[x] < 0 && o.rows[x] == 1 && c >= 0 {
					o.front = append(o.front, plan{c, x})
					s.take(c, x)
				}
			} else if c := ^x; !o.gone[c] && o.count[c] == 1 {
				r := s.rowIn(c)
				o.back = append(o.back, plan{c, r})
				s.take(c, r)
			}
		}
		c := s.sparsest(&next)
		if c < 0 {
			break
		}
		r := s.rowIn(c)
		o.front = append(o.front, plan{c, r})
		s.take(c, r)
	}
	for i, j := range s.head { // marks of planned rows
		if j == planned {
			s.head[i] = -1
		}
	}
}

// planned marks a row in head while the order is made.
const planned = math.MaxInt

// count counts what each row and column of the basis has, rows of basic logical columns left out.
func (s *solver) count() {
	o := &s.order
	o.rows, o.byRow, o.count, o.gone = resize(o.rows, s.m), resize(o.byRow, s.m), resize(o.count, len(o.columns)),
		resize(o.gone, len(o.columns))
	clear(o.rows)
	clear(o.gone)
	total := 0
	for c, j := range o.columns {
		o.count[c] = 0
		for k := s.start[j]; k < s.start[j+1]; k++ {
			if r := s.index[k]; s.head[r] < 0 {
				o.rows[r]++
				o.count[c]++
				total++
			}
		}
	}
	o.cells = resize(o.cells, total)
	at := 0
	for r, n := range o.rows {
		o.byRow[r] = o.cells[at : at : at+n]
		at += n
	}
	o.todo = o.todo[:0]
	for c, j := range o.columns {
		for k := s.start[j]; k < s.start[j+1]; k++ {
			if r := s.index[k]; s.head[r] < 0 {
				o.byRow[r] = append(o.byRow[r], c)
			}
		}
		if o.count[c] == 1 {
			o.todo = append(o.todo, ^c)
		}
	}
	for r, n := range o.rows {
		if n == 1 {
			o.todo = append(o.todo, r)
		}
	}
}

// columnIn is the first column that is left in a row, -1 = none.
func (s *solver) columnIn(r int) int {
	for _, c := range s.order.byRow[r] {
		if !s.order.gone[c] {
			return c
		}
	}
	return -1
}

// rowIn is the row of a column that is left and has fewest columns left, -1 = none.
func (s *solver) rowIn(c int) int {
	o, best := &s.order, -1
	j := o.columns[c]
	for k := s.start[j]; k < s.start[j+1]; k++ {
		if r := int(s.index[k]); s.head[r] < 0 && (best < 0 || o.rows[r] < o.rows[best]) {
			best = r
		}
	}
	return best
}

// take takes a planned column and row out of the counts.
func (s *solver) take(c, r int) {
	o := &s.order
	o.gone[c] = true
	j := o.columns[c]
	for k := s.start[j]; k < s.start[j+1]; k++ {
		if i := int(s.index[k]); s.head[i] < 0 {
			if o.rows[i]--; o.rows[i] == 1 {
				o.todo = append(o.todo, i)
			}
		}
	}
	if r < 0 {
		return
	}
	s.head[r] = planned
	for _, d := range o.byRow[r] {
		if !o.gone[d] {
			if o.count[d]--; o.count[d] == 1 {
				o.todo = append(o.todo, ^d)
			}
		}
	}
}

// sparsest is the column with fewest rows left, -1 = all are placed.
func (s *solver) sparsest(next *int) int {
	o, best := &s.order, -1
	for *next < len(o.gone) && o.gone[*next] {
		*next++
	}
	for c := *next; c < len(o.gone); c++ {
		if !o.gone[c] && (best < 0 || o.count[c] < o.count[best]) {
			best = c
		}
	}
	return best
}
