package lp

import "math"

// Proof is how far a solution is from being proved. All three are 0, up to rounding, relative to
// the sizes that enter them.
type Proof struct {
	// Primal is by how much X and Activity exceed a bound at most, relative to 1 + the bound.
	Primal float64
	// Dual is by how much a reduced cost or dual has the wrong sign at most, relative to 1 + the
	// largest cost. Of a ray: how far it is from proving its status.
	Dual float64
	// Gap is the difference between the objective and the duals', relative to 1 + the sum of
	// the absolute terms of either.
	Gap float64
}

// Most is the largest of the three.
func (f Proof) Most() float64 { return max(f.Primal, f.Dual, math.Abs(f.Gap)) }

// Verify computes the proof of a solution anew, from the problem and the duals or the ray alone.
func (r *Solution) Verify(p *Problem) Proof {
	switch r.Status {
	case Infeasible:
		return r.verifyInfeasible(p)
	case Unbounded:
		return r.verifyUnbounded(p)
	}
	var f Proof
	f.Primal = r.primal(p)
	largest := 1.0
	for _, c := range p.cost {
		largest = max(largest, 1+math.Abs(c))
	}
	objective, bound, size := 0.0, 0.0, 1.0
	add := func(dual, lower, upper float64) {
		at := lower
		if (dual < 0) != p.Maximise {
			at = upper
		}
		if math.IsInf(at, 0) {
			f.Dual = max(f.Dual, math.Abs(dual)/largest)
		} else {
			bound += float64(dual * at)
			size += math.Abs(dual * at)
		}
	}
	for j, c := range p.cost {
		d := c
		for _, e := range p.column(j) {
			d -= float64(e.Value * r.Dual[e.Row])
		}
		objective += float64(c * r.X[j])
		size += math.Abs(c * r.X[j])
		add(d, p.lower[j], p.upper[j])
	}
	for i, y := range r.Dual {
		add(y, p.rowLower[i], p.rowUpper[i])
	}
	f.Gap = (objective - bound) / size
	return f
}

// primal is by how much a bound is exceeded.
func (r *Solution) primal(p *Problem) float64 {
	worst := 0.0
	outside := func(x, lower, upper float64) {
		if d := (lower - x) / (1 + math.Abs(lower)); d > worst {
			worst = d
		}
		if d := (x - upper) / (1 + math.Abs(upper)); d > worst {
			worst = d
		}
	}
	activity := make([]float64, p.Rows())
	for j, x := range r.X {
		outside(x, p.lower[j], p.upper[j])
		for _, e := range p.column(j) {
			activity[e.Row] += float64(e.Value * x)
		}
	}
	for i, a := range activity {
		outside(a, p.rowLower[i], p.rowUpper[i])
	}
	return worst
}

// verifyInfeasible: the multipliers of rows, summed over rows, give an equation between columns and
// activities whose largest value within all bounds is below 0. Dual is 0 when that is so.
func (r *Solution) verifyInfeasible(p *Problem) Proof {
	most, size := 0.0, 0.0
	add := func(g, lower, upper, noise float64) {
		at := upper
		if g < 0 {
			at = lower
		}
		switch {
		case !math.IsInf(at, 0):
			most += float64(g * at)
			size += math.Abs(g * at)
		case math.Abs(g) > 1e-9*noise:
			most = math.Inf(1)
		}
	}
	for j := range p.cost {
		g, noise := 0.0, 0.0
		for _, e := range p.column(j) {
			g += float64(r.Ray[e.Row] * e.Value)
			noise += math.Abs(r.Ray[e.Row] * e.Value)
		}
		add(g, p.lower[j], p.upper[j], noise)
	}
	for i, y := range r.Ray {
		add(-y, p.rowLower[i], p.rowUpper[i], 0)
	}
	if most < -1e-13*size {
		return Proof{}
	}
	return Proof{Dual: math.Inf(1)}
}

// verifyUnbounded: X is feasible, the direction leaves no finite bound behind, and the objective
// improves along it.
func (r *Solution) verifyUnbounded(p *Problem) Proof {
	f := Proof{Primal: r.primal(p)}
	largest, gain := 0.0, 0.0
	for _, x := range r.Ray {
		largest = max(largest, math.Abs(x))
	}
	against := func(x, lower, upper, noise float64) {
		if x < 0 && !math.IsInf(lower, -1) || x > 0 && !math.IsInf(upper, 1) {
			f.Dual = max(f.Dual, math.Abs(x)/noise)
		}
	}
	activity, noise := make([]float64, p.Rows()), make([]float64, p.Rows())
	for j, x := range r.Ray {
		gain += float64(p.cost[j] * x)
		against(x, p.lower[j], p.upper[j], largest)
		for _, e := range p.column(j) {
			activity[e.Row] += float64(e.Value * x)
			noise[e.Row] += math.Abs(e.Value * x)
		}
	}
	for i, a := range activity {
		against(a, p.rowLower[i], p.rowUpper[i], noise[i])
	}
	if p.Maximise == (gain < 0) || gain == 0 {
		f.Gap = math.Inf(1)
	}
	return f
}
