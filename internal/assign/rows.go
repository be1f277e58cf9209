package assign

import (
	"fmt"
	"math"
	"slices"
)

// Costs is a problem: what each row costs in each column.
type Costs interface {
	// Row writes the cost of row i in column j into out[j] for every j below len(out). +Inf forbids
	// the column; NaN and -Inf are not costs. The same row has the same costs every time.
	Row(i int, out []float64)
}

// Sparse is a problem whose rows are cheap in few columns.
type Sparse interface {
	Costs
	// Few gives some columns of row i, ascending, with their costs, and the least that it costs in
	// any other. They are valid until the next call.
	Few(i int) (columns []int32, costs []float64, other float64)
}

// Kept is a problem that has its rows in memory.
type Kept interface {
	Costs
	// Kept gives what Row writes into n places. It is valid until the next call.
	Kept(i, n int) []float64
}

// Infeasible reports that rows cannot all be matched: the rows Many have finite costs only in the
// columns Few, which are fewer.
type Infeasible struct {
	Many, Few []int
	// Turned: Many are columns and Few are rows, of a matrix with more rows than columns.
	Turned bool
}

// Error reports how many rows compete for how many columns.
func (e *Infeasible) Error() string {
	many, few := "rows", "columns"
	if e.Turned {
		many, few = few, many
	}
	return fmt.Sprintf("assign: %d %s have finite costs in %d %s only, expected at least as many", len(e.Many), many,
		len(e.Few), few)
}

// Solver keeps a minimum-cost assignment of the rows 0..Rows()-1 to different columns. The zero
// value is ready for Begin; memory is kept from one problem to the next.
type Solver struct {
	costs   Costs
	sparse  Sparse    // costs, where it is one
	kept    Kept      // the same
	columns []int     // column of each row
	rows    []int     // row of each column, -1 = free
	u, v    []float64 // duals of rows and columns

	row  []float64 // costs of the row that is scanned
	dist []float64 // reduced length of the shortest path to a column
	from []int     // row before the column on that path
	todo []int     // columns that are not scanned
	done []int     // scanned columns, in the order of dist
}

// Begin starts a problem without rows that has columns 0..columns-1.
func (s *Solver) Begin(c Costs, columns int) {
	s.costs = c
	s.sparse, _ = c.(Sparse)
	s.kept, _ = c.(Kept)
	s.columns, s.u = s.columns[:0], s.u[:0]
	s.rows, s.v = s.rows[:0], s.v[:0]
	s.Grow(columns)
}

// Grow adds n free columns. The assignment so far must still be optimal: no row of it may gain by
// moving to a new column.
func (s *Solver) Grow(n int) {
	for range n {
		s.rows, s.v = append(s.rows, -1), append(s.v, 0)
	}
}

// Rows is the number of rows that are matched.
func (s *Solver) Rows() int { return len(s.columns) }

// Column is the column of a row.
func (s *Solver) Column(row int) int { return s.columns[row] }

// Row is the row of a column, -1 when it is free.
func (s *Solver) Row(column int) int { return s.rows[column] }

// Duals are the dual values of rows and columns, valid until the next call.
func (s *Solver) Duals() (u, v []float64) { return s.u, s.v }

// Add matches the next row, moving others where that is cheaper, and gives the column that was free
// before. On *Infeasible the assignment is as it was.
func (s *Solver) Add() (column int, err error) {
	r := len(s.columns)
	s.columns, s.u = append(s.columns, -1), append(s.u, 0)
	if j, low := s.direct(r); j >= 0 {
		s.u[r], s.columns[r], s.rows[j] = low, j, r
		return j, nil
	}
	sink, low := s.search(r)
	if sink < 0 {
		e := &Infeasible{Many: []int{r}, Few: slices.Clone(s.done)}
		for _, j := range s.done {
			e.Many = append(e.Many, s.rows[j])
		}
		s.columns, s.u = s.columns[:r], s.u[:r]
		return -1, e
	}
	s.u[r] += low
	for _, j := range s.done {
		d := low - s.dist[j]
		s.u[s.rows[j]] += d
		s.v[j] -= d
	}
	for j := sink; j >= 0; {
		i := s.from[j]
		s.rows[j] = i
		s.columns[i], j = j, s.columns[i]
	}
	return sink, nil
}

// direct is the column at which search would end at once, and its distance: the nearest, if it is
// free and one of a few that are cheaper than the rest; -1 = search. No dual of a column is above 0,
// so all other columns are as far as they cost or farther.
func (s *Solver) direct(r int) (sink int, low float64) {
	if s.sparse == nil {
		return -1, 0
	}
	columns, costs, other := s.sparse.Few(r)
	at, best := -1, other
	for k, j := range columns {
		if w := costs[k] - s.v[j]; w < best || w == best && at >= 0 && s.rows[j] < 0 && s.rows[at] >= 0 {
			at, best = int(j), w
		}
	}
	if at < 0 || s.rows[at] >= 0 {
		return -1, 0
	}
	return at, best
}

// search scans columns in the order of their distance from row r until one is free, which it gives
// with its distance; -1 = there is none.
func (s *Solver) search(r int) (sink int, low float64) {
	n := len(s.rows)
	s.row, s.dist, s.from, s.todo = resize(s.row, n), resize(s.dist, n), resize(s.from, n), resize(s.todo, n)
	s.done = s.done[:0]
	for j := range n {
		s.dist[j], s.todo[j] = math.Inf(1), j
	}
	for i := r; ; {
		k := s.relax(i, low)
		if k < 0 {
			return -1, 0
		}
		j := s.todo[k]
		low = s.dist[j]
		if s.rows[j] < 0 {
			return j, low
		}
		s.todo[k] = s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		s.done = append(s.done, j)
		i = s.rows[j]
	}
}

// relax shortens the ways to the columns that are left by those through row i, at distance low, and
// gives the index in todo of the nearest column, a free one where several are; -1 = none can be
// reached.
func (s *Solver) relax(i int, low float64) int {
	n := len(s.rows)
	row := s.row[:n]
	if s.kept != nil {
		row = s.kept.Kept(i, n)
	} else {
		s.costs.Row(i, row)
	}
	// locals of one length: no field is read again, and no index checked, in the loop
	rows, v, dist, from, todo := s.rows[:n], s.v[:n], s.dist[:n], s.from[:n], s.todo
	at, best, taken := -1, math.Inf(1), false
	shift := low - s.u[i]
	for k, j := range todo {
		if uint(j) >= uint(n) {
			break
		}
		d := dist[j]
		if w := shift + (row[j] - v[j]); w < d {
			d = w
			dist[j], from[j] = w, i
		}
		if d > best {
			continue
		}
		if d < best || taken && rows[j] < 0 {
			at, best, taken = k, d, rows[j] >= 0
		}
	}
	return at
}

// resize gives a slice of length n, in the same memory where that is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
