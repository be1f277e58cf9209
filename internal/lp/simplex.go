package lp

import "math"

// run iterates until the point is optimal, or is proved to be infeasible or unbounded. On
// Infeasible s.dual has the multipliers, on Unbounded s.alpha the column that moves for ever and
// entering which it is.
func (s *solver) run(limit int) (status Status, entering int) {
	s.refactor()
	for fresh := true; s.iterations < limit; {
		one := s.infeasible()
		if one {
			s.multipliers(true)
		}
		q := s.price()
		if q < 0 {
			switch {
			case !fresh: // what was updated is computed anew, and looked at again
				s.refactor()
				fresh = true
				continue
			case one:
				return Infeasible, -1
			}
			return Optimal, -1
		}
		clear(s.alpha)
		s.spread(s.alpha, q, 1)
		s.eta.solve(s.alpha)
		step, r, flip := s.ratio(q, one)
		switch {
		case r < 0 && !flip && !fresh, r >= 0 && math.Abs(s.alpha[r]) < small && !fresh:
			s.refactor()
			fresh = true
			continue
		case r < 0 && !flip && !one:
			return Unbounded, q
		case r < 0 && !flip: // phase one's directions end but for rounding: others are tried
			s.iterations++
			s.stalled += s.m + 200
			s.weight[q] *= 1e6
			continue
		}
		s.iterations++
		if one {
			s.phaseOne++
		}
		s.stalled++
		if !one && step > feasible {
			s.stalled = 0
		}
		s.step(q, step, r, one)
		fresh = false
		if s.updates >= most {
			s.refactor()
			fresh = true
		}
	}
	return Stopped, -1
}

// refactor makes the product, the basic values and the reduced costs anew.
func (s *solver) refactor() {
	s.factor()
	w := s.rho
	clear(w)
	for j, p := range s.place {
		if p != Basic && s.x[j] != 0 {
			s.spread(w, j, -s.x[j])
		}
	}
	s.eta.solve(w)
	for i, j := range s.head {
		s.x[j] = w[i]
	}
	s.multipliers(false)
}

// infeasible reports whether a basic value lies outside of its bounds. When that ends, the reduced
// costs are the objective's again.
func (s *solver) infeasible() bool {
	for _, j := range s.head {
		if s.x[j] < s.lo[j]-feasible || s.x[j] > s.hi[j]+feasible {
			if !s.one {
				s.one, s.least = true, math.Inf(1)
			}
			return true
		}
	}
	if s.one {
		s.one = false
		s.multipliers(false)
		s.resetWeights()
	}
	return false
}

// outside prices the basic values that lie outside of their bounds at 1 each way, the others at 0.
// Phase one has moved where their sum is less than ever: it can step far and come to the same sum.
func (s *solver) outside() {
	sum := 0.0
	for i, j := range s.head {
		s.dual[i] = 0
		if x := s.x[j]; x < s.lo[j]-feasible {
			s.dual[i] = -1
			sum += s.lo[j] - x
		} else if x > s.hi[j]+feasible {
			s.dual[i] = 1
			sum += x - s.hi[j]
		}
	}
	if sum < s.least-feasible {
		if !math.IsInf(s.least, 1) {
			s.stalled = 0
		}
		s.least = sum
	}
}

// multipliers computes duals and reduced costs: of the objective, or of the sum of what lies
// outside of bounds.
func (s *solver) multipliers(one bool) {
	if one {
		s.outside()
	} else {
		for i, j := range s.head {
			s.dual[i] = s.cost[j]
		}
	}
	s.eta.solveT(s.dual)
	for j := range s.n {
		sum := 0.0
		if s.place[j] != Basic {
			if !one {
				sum = s.cost[j]
			}
			for k := s.start[j]; k < s.start[j+1]; k++ {
				sum -= float64(s.value[k] * s.dual[s.index[k]])
			}
		}
		s.d[j] = sum
	}
	for i := range s.m {
		s.d[s.n+i] = 0
		if s.place[s.n+i] != Basic {
			s.d[s.n+i] = -s.dual[i]
		}
	}
}

// resetWeights starts devex pricing from the columns that are not basic now.
func (s *solver) resetWeights() {
	for j := range s.weight {
		s.weight[j] = 1
	}
}

// price chooses the column that enters: the largest reduced cost for its weight or, when nothing
// has moved for long, the first of any (R. Bland, "New Finite Pivoting Rules for the Simplex
// Method", 1977). -1 = none improves.
func (s *solver) price() int {
	bland := s.bland()
	at, best := -1, 0.0
	for j, d := range s.d {
		switch s.place[j] {
		case AtLower:
			d = -d
		case Free:
			d = math.Abs(d)
		case Basic:
			continue
		}
		if d <= dualFeasible || s.lo[j] == s.hi[j] {
			continue
		}
		if bland {
			return j
		}
		if v := d * d / s.weight[j]; v > best {
			at, best = j, v
		}
	}
	return at
}

// bland reports whether so many iterations have not moved that there may be a cycle.
func (s *solver) bland() bool { return s.stalled > 200+2*s.m }

// sense is the direction in which a column enters.
func (s *solver) sense(q int) float64 {
	if s.place[q] == AtUpper || s.place[q] == Free && s.d[q] > 0 {
		return -1
	}
	return 1
}

// step moves column q by a step and, unless it only goes to its other bound (r < 0), takes it into
// the basis in row r.
func (s *solver) step(q int, step float64, r int, one bool) {
	sense := s.sense(q)
	move := float64(sense * step)
	for i, a := range s.alpha {
		if a != 0 {
			s.x[s.head[i]] -= float64(a * move)
		}
	}
	if r < 0 {
		if sense > 0 {
			s.place[q], s.x[q] = AtUpper, s.hi[q]
		} else {
			s.place[q], s.x[q] = AtLower, s.lo[q]
		}
		return
	}
	s.x[q] += move
	out := s.head[r]
	if !one {
		s.update(q, r)
	}
	rising := -sense*s.alpha[r] > 0
	s.place[q] = Basic
	s.head[r] = q
	s.eta.push(s.alpha, r)
	s.updates++
	s.settle(out, rising)
}

// settle puts a column that left the basis at the bound where it stopped: the one it came to, that
// is the upper one when it rose, unless it rose only to its lower one.
func (s *solver) settle(j int, rising bool) {
	lo, hi := s.lo[j], s.hi[j]
	upper := rising
	if rising && math.Abs(s.x[j]-lo) < math.Abs(s.x[j]-hi) || !rising && math.Abs(s.x[j]-hi) < math.Abs(s.x[j]-lo) {
		upper = !rising
	}
	if upper {
		s.place[j], s.x[j] = AtUpper, hi
	} else {
		s.place[j], s.x[j] = AtLower, lo
	}
}

// update brings reduced costs and weights to the basis in which q replaces the column of row r.
func (s *solver) update(q, r int) {
	out := s.head[r]
	clear(s.rho)
	s.rho[r] = 1
	s.eta.solveT(s.rho)
	p := s.pivots
	clear(p)
	for i, y := range s.rho {
		if math.Abs(y) <= dropped {
			continue
		}
		for _, e := range s.rowOf[i] {
			p[e.Row] += float64(y * e.Value)
		}
		p[s.n+i] = y
	}
	pivot := s.alpha[r]
	theta, wq := s.d[q]/pivot, s.weight[q]
	for j, a := range p {
		if a == 0 || s.place[j] == Basic {
			continue
		}
		s.d[j] -= float64(theta * a)
		t := a / pivot
		s.weight[j] = max(s.weight[j], float64(float64(t*t)*wq))
	}
	s.d[q], s.d[out] = 0, -theta
	s.weight[out] = max(wq/(pivot*pivot), 1)
	if s.weight[out] > 1e9 {
		s.resetWeights()
	}
}
