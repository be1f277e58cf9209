package lp

import "math"

// Solver solves one problem after another in the same memory. The zero value is ready. It keeps
// nothing of a problem that the next one could depend on.
type Solver struct {
	// Limit is how many iterations a solve may take; 0 = 50 times the rows and columns, and 10 000.
	Limit int
	s     solver
}

// Solve finds an optimum. start = where to begin: the basis of a similar problem, the zero value =
// all columns at a bound. The error names what is no problem.
func (v *Solver) Solve(p *Problem, start Basis) (Solution, error) {
	if err := p.check(); err != nil {
		return Solution{}, err
	}
	s := &v.s
	s.load(p)
	s.begin(start)
	limit := v.Limit
	if limit <= 0 {
		limit = 50*(s.m+s.n) + 10000
	}
	status, entering := s.run(limit)
	return s.solution(p, status, entering), nil
}

// begin places the columns as a basis states.
func (s *solver) begin(b Basis) {
	for j := range s.place {
		want := AtLower
		switch {
		case j < s.n && j < len(b.Columns):
			want = b.Columns[j]
		case j >= s.n:
			want = Basic
			if i := j - s.n; i < len(b.Rows) {
				want = b.Rows[i]
				if want == AtLower || want == AtUpper {
					want = AtLower + AtUpper - want // the logical is minus the activity
				}
			}
		}
		s.place[j], s.x[j] = want, 0
		switch {
		case want == Basic:
		case want == AtUpper && !math.IsInf(s.hi[j], 1):
			s.x[j] = s.hi[j]
		default:
			s.x[j] = math.Inf(-1) // nearer to the lower bound
			s.leave(j)
		}
	}
}

// solution scales the point back.
func (s *solver) solution(p *Problem, status Status, entering int) Solution {
	r := Solution{Status: status, Iterations: s.iterations, PhaseOne: s.phaseOne,
		X: make([]float64, s.n), Activity: make([]float64, s.m), Reduced: make([]float64, s.n),
		Dual:  make([]float64, s.m),
		Basis: Basis{make([]Place, s.n), make([]Place, s.m)}}
	sign := 1 / s.costScale
	if p.Maximise {
		sign = -sign
	}
	for j := range s.n {
		x := min(max(s.x[j]*s.colScale[j], p.lower[j]), p.upper[j])
		r.X[j], r.Basis.Columns[j] = x, s.place[j]
		r.Reduced[j] = sign * s.d[j] / s.colScale[j]
		r.Objective += float64(p.cost[j] * x)
		for _, e := range p.column(j) {
			r.Activity[e.Row] += float64(e.Value * x)
		}
	}
	for i := range s.m {
		r.Dual[i] = sign * s.dual[i] * s.rowScale[i]
		b := s.place[s.n+i]
		if b == AtLower || b == AtUpper {
			b = AtLower + AtUpper - b
		}
		r.Basis.Rows[i] = b
	}
	switch status {
	case Infeasible:
		r.Ray = make([]float64, s.m)
		for i, y := range s.dual {
			r.Ray[i] = y * s.rowScale[i]
		}
	case Unbounded:
		r.Ray = make([]float64, s.n)
		sense := s.sense(entering)
		for i, j := range s.head {
			if j < s.n {
				r.Ray[j] = -sense * s.alpha[i] * s.colScale[j]
			}
		}
		if entering < s.n {
			r.Ray[entering] = sense * s.colScale[entering]
		}
	}
	clean(r.Ray)
	if status != Optimal {
		clear(r.Dual)
		clear(r.Reduced)
	}
	return r
}

// clean sets to 0 what is rounding beside the largest.
func clean(ray []float64) {
	largest := 0.0
	for _, x := range ray {
		largest = max(largest, math.Abs(x))
	}
	for i, x := range ray {
		if math.Abs(x) < 1e-13*largest {
			ray[i] = 0
		}
	}
}
