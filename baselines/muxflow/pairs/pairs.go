// Package pairs is MuxFlow's choice of one offline job for each GPU of a service: what a job would
// get done there, and who goes where.
package pairs

import (
	"cmp"
	"math"
	"slices"

	"tarry/internal/assign"
)

// Online is a GPU of a service: the part of its multiprocessors in use, and the memory in use and in all.
type Online struct {
	Activity        float64
	UsedMiB, HasMiB int64
	Unhealthy       bool
}

// Offline is a job: the part of the multiprocessors that it can use, the part of its speed that a busy
// GPU costs it, and its memory.
type Offline struct {
	Need, Sensitivity float64
	MiB               int64
}

// Table has the weight of row i in column j at At[i*Cols+j].
type Table struct {
	Rows, Cols int
	At         []float64
}

// Share is the part of the multiprocessors that a service leaves, in whole tenths.
func Share(activity float64) float64 {
	return max(0, min(10, math.Floor(10*(1-activity)+1e-9))) / 10
}

// Weight is the part of its speed alone that a job has with a share beside a service; 0 where it may
// not be there.
func Weight(f *Offline, o *Online, share float64) float64 {
	if o.Unhealthy || share <= 0 || o.UsedMiB+f.MiB > o.HasMiB {
		return 0
	}
	return min(1, share/f.Need) * (1 - float64(f.Sensitivity*o.Activity))
}

// Best gives each row the column of a matching of the largest sum, -1 for none; weights of 0 are no pairs.
func Best(m Table) ([]int, error) {
	a, err := assign.Max(assign.Matrix(m))
	if err != nil {
		return nil, err
	}
	for i, k := range a.Column {
		if k >= 0 && m.At[i*m.Cols+k] <= 0 {
			a.Column[i] = -1
		}
	}
	return a.Column, nil
}

// Greedy takes the largest weight first; of equals the first row's, then the first column's.
func Greedy(m Table) []int {
	order := make([]int, 0, len(m.At))
	for k, w := range m.At {
		if w > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.At[b], m.At[a]) })
	return InOrder(m, order)
}

// InOrder takes pairs, as places in the matrix, in an order, where both are free.
func InOrder(m Table, order []int) []int {
	column, taken := slices.Repeat([]int{-1}, m.Rows), make([]bool, m.Cols)
	for _, k := range order {
		if i, j := k/m.Cols, k%m.Cols; column[i] < 0 && !taken[j] && m.At[k] > 0 {
			column[i], taken[j] = j, true
		}
	}
	return column
}

// Sum is the weight of a matching.
func Sum(m Table, column []int) (sum float64) {
	for i, k := range column {
		if k >= 0 {
			sum += m.At[i*m.Cols+k]
		}
	}
	return sum
}
