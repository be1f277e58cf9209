package lp

import "math"

const (
	// feasible is by how much a bound may be exceeded, in scaled units; dualFeasible the same of
	// reduced costs.
	feasible     = 1e-9
	dualFeasible = 1e-9
	// singular is what a pivot must exceed, stable what part of its column's largest entry a
	// planned one must have.
	singular = 1e-11
	stable   = 0.01
	// small is what a pivot must have in an iteration, unless the basis was just factored.
	small = 1e-7
	// dropped is what an entry of the product must exceed.
	dropped = 1e-14
	// most is after how many iterations the basis is factored anew.
	most = 64
)

// solver is a problem in scaled form, and a point of it. Column n + i is logical: minus the
// activity of row i, so that the rows are A x + logical = 0. Scales are powers of two: they change
// no digit.
type solver struct {
	m, n               int
	start              []int
	index              []int32
	value              []float64
	cost, lo, hi, x    []float64 // of n + m columns
	place              []Place
	head               []int // basic column of each row
	eta                etas
	order              order
	updates            int // elementary matrices since the basis was factored
	rowScale, colScale []float64
	costScale          float64

	d, weight        []float64 // reduced costs, and devex weights
	alpha, rho, dual []float64 // of m: the column that enters, the row that leaves, multipliers
	rowOf            [][]Entry // entries of each row, Row being the column
	pivots           []float64 // of n + m: the row of the leaving column
	breaks           []breakpoint
	one              bool    // the reduced costs are of phase one
	stalled          int     // iterations without progress
	least            float64 // phase one's smallest sum of what lies outside of bounds
	iterations       int
	phaseOne         int
}

// load scales a problem.
func (s *solver) load(p *Problem) {
	s.m, s.n = p.Rows(), p.Columns()
	N := s.m + s.n
	s.scales(p)
	s.start, s.index, s.value = resize(s.start, s.n+1), s.index[:0], s.value[:0]
	s.cost, s.lo, s.hi, s.x = resize(s.cost, N), resize(s.lo, N), resize(s.hi, N), resize(s.x, N)
	s.place, s.head = resize(s.place, N), resize(s.head, s.m)
	s.d, s.weight, s.pivots = resize(s.d, N), resize(s.weight, N), resize(s.pivots, N)
	s.alpha, s.rho, s.dual = resize(s.alpha, s.m), resize(s.rho, s.m), resize(s.dual, s.m)
	largest := 0.0
	for j := range s.n {
		c := s.colScale[j]
		s.start[j] = len(s.index)
		for _, e := range p.column(j) {
			if e.Value != 0 {
				s.index, s.value = append(s.index, int32(e.Row)), append(s.value, e.Value*s.rowScale[e.Row]*c)
			}
		}
		s.cost[j] = p.cost[j] * c
		if p.Maximise {
			s.cost[j] = -s.cost[j]
		}
		largest = max(largest, math.Abs(s.cost[j]))
		s.lo[j], s.hi[j] = p.lower[j]/c, p.upper[j]/c
	}
	s.start[s.n] = len(s.index)
	for i, r := range s.rowScale {
		s.cost[s.n+i], s.lo[s.n+i], s.hi[s.n+i] = 0, -p.rowUpper[i]*r, -p.rowLower[i]*r
	}
	s.costScale = 1 / power(largest)
	for j := range s.n {
		s.cost[j] *= s.costScale
	}
	s.byRow()
	s.updates, s.stalled, s.iterations, s.phaseOne, s.one = 0, 0, 0, 0, false
	s.resetWeights()
}

// byRow lists the entries row by row.
func (s *solver) byRow() {
	s.rowOf = resize(s.rowOf, s.m)
	for i := range s.rowOf {
		s.rowOf[i] = s.rowOf[i][:0]
	}
	for j := range s.n {
		for k := s.start[j]; k < s.start[j+1]; k++ {
			i := s.index[k]
			s.rowOf[i] = append(s.rowOf[i], Entry{j, s.value[k]})
		}
	}
}

// scales makes the entries of each row and column lie around 1: geometric means of the largest and
// smallest, three times over.
func (s *solver) scales(p *Problem) {
	s.rowScale, s.colScale = resize(s.rowScale, s.m), resize(s.colScale, s.n)
	for i := range s.rowScale {
		s.rowScale[i] = 1
	}
	for j := range s.colScale {
		s.colScale[j] = 1
	}
	low, high := make([]float64, s.m), make([]float64, s.m)
	for range 3 {
		for i := range low {
			low[i], high[i] = math.Inf(1), 0
		}
		for j := range s.n {
			for _, e := range p.column(j) {
				if x := math.Abs(e.Value) * s.colScale[j]; x > 0 {
					low[e.Row], high[e.Row] = min(low[e.Row], x), max(high[e.Row], x)
				}
			}
		}
		for i := range low {
			s.rowScale[i] = 1 / middle(low[i], high[i])
		}
		for j := range s.n {
			lo, hi := math.Inf(1), 0.0
			for _, e := range p.column(j) {
				if x := math.Abs(e.Value) * s.rowScale[e.Row]; x > 0 {
					lo, hi = min(lo, x), max(hi, x)
				}
			}
			s.colScale[j] = 1 / middle(lo, hi)
		}
	}
}

// middle is the power of two next to the geometric mean, 1 of nothing.
func middle(low, high float64) float64 {
	if high == 0 {
		return 1
	}
	return power(math.Sqrt(low) * math.Sqrt(high))
}

// power is a power of two close to x; 1 of 0.
func power(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return 1
	}
	_, e := math.Frexp(x)
	return math.Ldexp(1, e)
}

// resize gives a slice of length n, in the same memory where that is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
