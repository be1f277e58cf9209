package lp

import (
	"fmt"
	"math"
)

// Entry is a coefficient of a column.
type Entry struct {
	Row   int
	Value float64
}

// Problem is: minimise (or maximise) the sum of cost times x over columns, where every column lies
// within its bounds and so does every row's activity, the sum of coefficient times x. Bounds may be
// infinite, and equal. The zero value has no rows and no columns.
type Problem struct {
	// Maximise the objective in place of minimising it.
	Maximise bool

	cost, lower, upper []float64
	rowLower, rowUpper []float64
	start              []int // of each column in entries; the next one's start is its end
	entries            []Entry
}

// Reset empties a problem and keeps its memory.
func (p *Problem) Reset() {
	p.Maximise = false
	p.cost, p.lower, p.upper = p.cost[:0], p.lower[:0], p.upper[:0]
	p.rowLower, p.rowUpper = p.rowLower[:0], p.rowUpper[:0]
	p.start, p.entries = p.start[:0], p.entries[:0]
}

// Rows and Columns count what was added.
func (p *Problem) Rows() int { return len(p.rowLower) }

// Columns counts the columns.
func (p *Problem) Columns() int { return len(p.cost) }

// AddRow adds a row whose activity lies within bounds, and gives its number.
func (p *Problem) AddRow(lower, upper float64) int {
	p.rowLower, p.rowUpper = append(p.rowLower, lower), append(p.rowUpper, upper)
	return len(p.rowLower) - 1
}

// AddColumn adds a column with its coefficients, each in another row, and gives its number. Rows
// may be added after it.
func (p *Problem) AddColumn(cost, lower, upper float64, entries ...Entry) int {
	p.cost, p.lower, p.upper = append(p.cost, cost), append(p.lower, lower), append(p.upper, upper)
	p.start = append(p.start, len(p.entries))
	p.entries = append(p.entries, entries...)
	return len(p.cost) - 1
}

// SetCost changes a column's cost.
func (p *Problem) SetCost(column int, cost float64) { p.cost[column] = cost }

// SetColumn changes a column's bounds.
func (p *Problem) SetColumn(column int, lower, upper float64) {
	p.lower[column], p.upper[column] = lower, upper
}

// SetRow changes a row's bounds.
func (p *Problem) SetRow(row int, lower, upper float64) {
	p.rowLower[row], p.rowUpper[row] = lower, upper
}

// column gives the coefficients of a column. They may be changed, the rows may not.
func (p *Problem) column(j int) []Entry {
	end := len(p.entries)
	if j+1 < len(p.start) {
		end = p.start[j+1]
	}
	return p.entries[p.start[j]:end]
}

// SetEntry changes the k-th coefficient that a column was added with.
func (p *Problem) SetEntry(column, k int, value float64) { p.column(column)[k].Value = value }

// check refuses what is no problem.
func (p *Problem) check() error {
	bounds := func(what string, i int, lower, upper float64) error {
		if !(lower <= upper) || math.IsInf(lower, 1) || math.IsInf(upper, -1) {
			return fmt.Errorf("lp: %s %d has bounds %v and %v, expected two numbers in order", what, i, lower, upper)
		}
		return nil
	}
	for i := range p.rowLower {
		if err := bounds("row", i, p.rowLower[i], p.rowUpper[i]); err != nil {
			return err
		}
	}
	last := make([]int, p.Rows()) // column + 1 that was last in a row
	for j, c := range p.cost {
		if err := bounds("column", j, p.lower[j], p.upper[j]); err != nil {
			return err
		}
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return fmt.Errorf("lp: column %d has cost %v, expected a number", j, c)
		}
		for _, e := range p.column(j) {
			if e.Row < 0 || e.Row >= p.Rows() || last[e.Row] == j+1 {
				return fmt.Errorf("lp: column %d has row %d, expected each of 0..%d at most once", j, e.Row, p.Rows()-1)
			}
			last[e.Row] = j + 1
			if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
				return fmt.Errorf("lp: column %d, row %d has coefficient %v, expected a number", j, e.Row, e.Value)
			}
		}
	}
	return nil
}

// Status is how a solve ended.
type Status uint8

const (
	// Optimal: the solution is optimal, its duals prove it.
	Optimal Status = iota
	// Infeasible: no x keeps all bounds; Ray proves it.
	Infeasible
	// Unbounded: the objective has no limit; X is feasible and Ray a direction in which it improves
	// for ever.
	Unbounded
	// Stopped: the limit of iterations was reached; X is the last point.
	Stopped
)

// String names a status.
func (s Status) String() string {
	return [...]string{"optimal", "infeasible", "unbounded", "stopped"}[s]
}

// Place is where a column or a row's activity is in a basis.
type Place uint8

const (
	// AtLower: at its lower bound.
	AtLower Place = iota
	// AtUpper: at its upper bound.
	AtUpper
	// Free: without bounds and 0, not in the basis.
	Free
	// Basic: in the basis, its value follows from the others.
	Basic
)

// Basis states where each column and row is. One of an earlier problem starts the next; short ones
// are continued with columns at a bound and basic rows.
type Basis struct {
	Columns, Rows []Place
}

// Solution is what a solve found.
type Solution struct {
	Status    Status
	Objective float64
	// X are the values of columns, Activity the activities of rows.
	X, Activity []float64
	// Dual is the change of the objective per unit of the bound that holds a row, Reduced per unit
	// of a column's bound; 0 in the basis.
	Dual, Reduced []float64
	// Ray proves Infeasible: a multiplier for each row; or Unbounded: a direction for each column.
	// nil otherwise.
	Ray   []float64
	Basis Basis
	// Iterations counts steps of the simplex method, PhaseOne the steps that looked for a feasible
	// point.
	Iterations, PhaseOne int
}
