package assign

import (
	"errors"
	"fmt"
	"math"
)

// Matrix is a problem whose costs are stored row by row.
type Matrix struct {
	Rows, Cols int
	// At[i*Cols+j] is the cost of row i in column j.
	At []float64
}

// Row copies a row.
func (m Matrix) Row(i int, out []float64) { copy(out, m.At[i*m.Cols:(i+1)*m.Cols]) }

// Assignment matches every row or every column, whichever are fewer.
type Assignment struct {
	// Column of each row and Row of each column; -1 = unmatched.
	Column, Row []int
	// Cost is the sum over the matched pairs, in the order of rows.
	Cost float64
	// U and V are dual values of rows and columns. Minimum: U[i] + V[j] <= cost; maximum: >=. Equal
	// for matched pairs, and the dual of what is unmatched is 0.
	U, V []float64
}

// Min finds an assignment of least cost. The error is *Infeasible, or names an entry that is no
// cost.
func Min(m Matrix) (Assignment, error) { return m.solve(1) }

// Max finds one of largest sum; there -Inf forbids an entry.
func Max(m Matrix) (Assignment, error) { return m.solve(-1) }

// signed is a matrix with another sign, or the other way around.
type signed struct {
	Matrix
	sign   float64
	turned bool
}

// Row gives a row of the matrix or, when it is turned, a column.
func (s signed) Row(i int, out []float64) {
	if s.turned {
		for j := range out {
			out[j] = s.sign * s.At[j*s.Cols+i]
		}
		return
	}
	for j, x := range s.At[i*s.Cols : (i+1)*s.Cols] {
		out[j] = s.sign * x
	}
}

// check refuses what is no matrix of costs.
func (m Matrix) check(sign float64) error {
	if m.Rows < 0 || m.Cols < 0 || len(m.At) != m.Rows*m.Cols {
		return fmt.Errorf("assign: %d entries for %d rows and %d columns, expected %d", len(m.At), m.Rows, m.Cols,
			m.Rows*m.Cols)
	}
	for k, x := range m.At {
		if math.IsNaN(x) || math.IsInf(sign*x, -1) {
			return fmt.Errorf("assign: row %d, column %d: %v, expected a number or %v", k/m.Cols, k%m.Cols, x,
				sign*math.Inf(1))
		}
	}
	return nil
}

// solve minimises the costs times sign.
func (m Matrix) solve(sign float64) (Assignment, error) {
	if err := m.check(sign); err != nil {
		return Assignment{}, err
	}
	p := signed{m, sign, m.Rows > m.Cols}
	few, many := m.Rows, m.Cols
	if p.turned {
		few, many = many, few
	}
	var s Solver
	s.Begin(p, many)
	for range few {
		if _, err := s.Add(); err != nil {
			if e := (*Infeasible)(nil); errors.As(err, &e) {
				e.Turned = p.turned
			}
			return Assignment{}, err
		}
	}
	a := Assignment{Column: s.columns, Row: s.rows, U: s.u, V: s.v}
	if p.turned {
		a = Assignment{Column: s.rows, Row: s.columns, U: s.v, V: s.u}
	}
	for k := range a.U {
		a.U[k] *= sign
	}
	for k := range a.V {
		a.V[k] *= sign
	}
	for i, j := range a.Column {
		if j >= 0 {
			a.Cost += m.At[i*m.Cols+j]
		}
	}
	return a, nil
}
