package objective

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"tarry/internal/lp"
)

// Goal is what Packed optimises.
type Goal uint8

// The goals with space sharing. Each is the problem of the allocator of that name, in which a job's
// rate and time also count the pairs that it is in.
const (
	PackMaxMin Goal = iota
	PackFinishTime
	PackMakespan
	PackThroughput
)

// Packed is space sharing (section 4.4 of the paper): besides jobs alone, the input's pairs of jobs
// on the same GPUs are rows of the matrix, and
//
//	rate_m = sum_j T_mj x_mj + sum over its pairs p of sum_j T_pj,m x_pj,  sum over all rows with m of sum_j x_j <= 1
//
// Pairs on a type on which one of the two has rate 0 get nothing there. Throughputs are those by
// type.
//
// Equal jobs are aggregated: when all jobs of a group may pair with all of another at equal rates,
// their pairs are one column for each type, whose time is divided evenly among their jobs, in few
// pairs (divide.go); so a problem has as many columns as there are pairs of kinds of jobs, not of
// jobs. When the pairs given are not complete in that sense, every job is a group of its own. The
// problems have a row for each group, and package lp solves them: for the level q that the rates
// need (see level), the least factor on all capacities, which is convex in q, so that Newton's
// method comes down to the level at which it is
// 1. The optimum is exact to about 1e-9. What a level of less than all GPUs leaves over goes to the largest sum of rates, as parts of what jobs
// need; else nothing orders several optima.
type Packed struct {
	// Goal is what is optimised.
	Goal Goal

	crew    crew
	share   []float64
	kinds   []kind
	problem lp.Problem
	solver  lp.Solver
	columns []packedColumn
	ends    []ends // of the input's pairs
}

// ends are the two jobs of a pair.
type ends struct{ A, B int32 }

// kind is a set of pairs of two groups at equal rates.
type kind struct {
	a, b  int32
	rates []float64 // of a by type, then of b
	pairs []int32   // of the input
}

// packedColumn is what a column of the problem stands for.
type packedColumn struct {
	group, kind int32 // kind -1: alone
	typ         int32 // index of the crew's types
}

// Clone implements Allocator.
func (a *Packed) Clone() Allocator { return &Packed{Goal: a.Goal} }

// Allocate implements Allocator. It starts anew each time.
func (a *Packed) Allocate(in *Input, x *Matrix) (float64, error) {
	x.Reset(in.Rows(), in.Types())
	if err := a.enter(in, true); err != nil {
		return 0, err
	}
	if !a.gather(in) {
		if err := a.enter(in, false); err != nil {
			return 0, err
		}
		if !a.gather(in) {
			return 0, errors.New("gavel: a pair is given twice")
		}
	}
	if len(a.crew.jobs) == 0 {
		return 0, nil
	}
	theta := a.pose()
	r, err := a.solve(theta)
	if err != nil {
		return 0, err
	}
	a.write(x, in.Jobs(), r.X, min(1/max(r.X[theta], 1), 1))
	return a.value(in, x), nil
}

// enter takes the jobs, equal ones as groups or each as its own.
func (a *Packed) enter(in *Input, merge bool) error {
	c, types := &a.crew, in.Types()
	if err := c.open(in, in.Throughput, false); err != nil {
		return err
	}
	a.share = append(a.share[:0], make([]float64, types)...)
	for m, s := range in.Scale {
		row := in.Throughput[m*types:][:types]
		if !c.runs(row) {
			continue
		}
		n := need{steps: 1, due: 1}
		switch a.Goal {
		case PackMaxMin:
			n.steps = in.weight(m) * equalRate(in, row) / float64(s)
		case PackFinishTime:
			isolatedShare(in, m, a.share)
			n = need{steps: in.Steps[m], due: in.IsolatedS[m] + in.Steps[m]/got(row, a.share), elapsed: in.ElapsedS[m]}
		case PackMakespan:
			n.steps = in.Steps[m]
		}
		if !merge {
			n.tag = m + 1
		}
		c.add(m, row, s, n)
	}
	return nil
}

// gather groups the pairs of the input, and reports whether each kind has all pairs of its groups.
func (a *Packed) gather(in *Input) bool {
	c := &a.crew
	group := make([]int32, in.Jobs())
	for m := range group {
		group[m] = -1
	}
	for i, m := range c.jobs {
		group[m] = c.group[i]
	}
	a.kinds, a.ends = a.kinds[:0], a.ends[:0]
	types := in.Types()
	for i, p := range in.Pairs {
		a.ends = append(a.ends, ends{int32(p.A), int32(p.B)})
		k := kind{a: group[p.A], b: group[p.B], rates: p.Throughput, pairs: []int32{int32(i)}}
		if k.a < 0 || k.b < 0 {
			continue
		}
		if k.a > k.b {
			k.a, k.b, k.rates = k.b, k.a, slices.Concat(p.Throughput[types:], p.Throughput[:types])
		}
		a.kinds = append(a.kinds, k)
	}
	slices.SortStableFunc(a.kinds, func(p, q kind) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
	out := a.kinds[:0]
	for _, k := range a.kinds {
		if n := len(out); n > 0 && out[n-1].a == k.a && out[n-1].b == k.b {
			if !slices.Equal(out[n-1].rates, k.rates) {
				return false
			}
			out[n-1].pairs = append(out[n-1].pairs, k.pairs...)
			continue
		}
		out = append(out, k)
	}
	a.kinds = out
	for _, k := range a.kinds {
		all := c.count[k.a] * c.count[k.b]
		if k.a == k.b {
			all = c.count[k.a] * (c.count[k.a] - 1) / 2
			same := slices.Equal(k.rates[:types], k.rates[types:])
			if !same && len(k.pairs) > 1 {
				return false // who of two equal jobs is the first would matter
			}
		}
		if float64(len(k.pairs)) != all {
			return false
		}
	}
	return true
}

// pose builds the problem but for the rates that are needed: rows for rates, times and types,
// columns for times of groups and kinds, and the factor, whose column it returns.
func (a *Packed) pose() int {
	c, p := &a.crew, &a.problem
	p.Reset()
	a.columns = a.columns[:0]
	groups, inf := len(c.needs), math.Inf(1)
	for range groups {
		p.AddRow(0, inf)
	}
	for g := range groups {
		p.AddRow(0, c.count[g])
	}
	var all []lp.Entry
	for _, n := range c.caps {
		all = append(all, lp.Entry{Row: p.AddRow(-inf, 0), Value: -n})
	}
	for g := range groups {
		for j, t := range c.row(g) {
			if t > 0 {
				p.AddColumn(0, 0, inf, lp.Entry{Row: g, Value: t}, lp.Entry{Row: groups + g, Value: 1},
					lp.Entry{Row: 2*groups + j, Value: c.scale[g]})
				a.columns = append(a.columns, packedColumn{int32(g), -1, int32(j)})
			}
		}
	}
	for i, k := range a.kinds {
		for j, t := range c.types {
			ta, tb := k.rates[t], k.rates[len(k.rates)/2+int(t)]
			if ta == 0 || tb == 0 {
				continue
			}
			c.needs[k.a].best, c.needs[k.b].best = max(c.needs[k.a].best, ta), max(c.needs[k.b].best, tb)
			cap := lp.Entry{Row: 2*groups + j, Value: c.scale[k.a]}
			if k.a == k.b {
				p.AddColumn(0, 0, inf, lp.Entry{Row: int(k.a), Value: ta + tb},
					lp.Entry{Row: groups + int(k.a), Value: 2}, cap)
			} else {
				p.AddColumn(0, 0, inf, lp.Entry{Row: int(k.a), Value: ta}, lp.Entry{Row: int(k.b), Value: tb},
					lp.Entry{Row: groups + int(k.a), Value: 1}, lp.Entry{Row: groups + int(k.b), Value: 1}, cap)
			}
			a.columns = append(a.columns, packedColumn{-1, int32(i), int32(j)})
		}
	}
	return p.AddColumn(1, 0, inf, all...)
}

// solve finds the level, or the largest sum of rates.
func (a *Packed) solve(theta int) (lp.Solution, error) {
	c, p := &a.crew, &a.problem
	if a.Goal == PackThroughput {
		return a.fill(theta, lp.Basis{})
	}
	q, inf := math.Inf(1), math.Inf(1)
	for g := range c.needs {
		q = min(q, c.needs[g].most())
	}
	var basis lp.Basis
	for range 200 {
		for g := range c.needs {
			r, _ := c.needs[g].rate(q)
			p.SetRow(g, r*c.count[g], inf)
		}
		r, err := a.solver.Solve(p, basis)
		if err == nil && r.Status == lp.Infeasible { // a largest rate, by rounding
			q *= 1 - 1e-10
			continue
		}
		if err != nil || r.Status != lp.Optimal {
			return r, cmp.Or(err, errors.New("gavel: the problem with pairs is "+r.Status.String()))
		}
		slope := 0.0
		for g := range c.needs {
			_, grows := c.needs[g].rate(q)
			slope += float64(r.Dual[g] * c.count[g] * grows)
		}
		basis = r.Basis
		next := q - (r.Objective-1)/slope
		if r.Objective < 1-1e-9 {
			return a.fill(theta, basis)
		}
		if r.Objective <= 1+1e-10 || !(next < q) {
			return r, nil
		}
		q = next
	}
	return lp.Solution{}, errors.New("gavel: the level with pairs does not settle")
}

// fill maximises the sum of rates, each as a part of what is needed, or of 1, with all GPUs that
// there are.
func (a *Packed) fill(theta int, basis lp.Basis) (lp.Solution, error) {
	c, p := &a.crew, &a.problem
	worth := func(g int32) float64 {
		if a.Goal == PackThroughput {
			return 1
		}
		return 1 / (c.needs[g].steps / c.needs[g].due)
	}
	for i, k := range a.columns {
		if k.kind < 0 {
			p.SetCost(i, -c.row(int(k.group))[k.typ]*worth(k.group))
			continue
		}
		d, t := a.kinds[k.kind], int(c.types[k.typ])
		p.SetCost(i, -d.rates[t]*worth(d.a)-d.rates[len(d.rates)/2+t]*worth(d.b))
	}
	p.SetCost(theta, 0)
	p.SetColumn(theta, 1, 1)
	r, err := a.solver.Solve(p, basis)
	if err == nil && r.Status != lp.Optimal {
		err = errors.New("gavel: the problem with pairs is " + r.Status.String())
	}
	return r, err
}

// write divides the times of groups and kinds evenly among their jobs.
func (a *Packed) write(x *Matrix, jobs int, times []float64, factor float64) {
	c := &a.crew
	part := make([]float64, len(c.needs)*len(c.types))
	for i, k := range a.columns {
		if v := times[i] * factor; v > 0 && k.kind < 0 {
			part[int(k.group)*len(c.types)+int(k.typ)] = v / c.count[k.group]
		} else if v > 0 {
			a.divide(&a.kinds[k.kind], v, func(p int32, v float64) { x.Row(jobs + int(p))[c.types[k.typ]] += v })
		}
	}
	for i, m := range c.jobs {
		for j, v := range part[int(c.group[i])*len(c.types):][:len(c.types)] {
			x.Row(int(m))[c.types[j]] = v
		}
	}
}

// value is the objective at a matrix.
func (a *Packed) value(in *Input, x *Matrix) float64 {
	types := in.Types()
	rates := make([]float64, in.Jobs())
	for m := range rates {
		rates[m] = got(in.Throughput[m*types:][:types], x.Row(m))
	}
	for i, p := range in.Pairs {
		row := x.Row(in.Jobs() + i)
		rates[p.A] += got(p.Throughput[:types], row)
		rates[p.B] += got(p.Throughput[types:], row)
	}
	least, most, sum := math.Inf(1), 0.0, 0.0
	for i, m := range a.crew.jobs {
		n := a.crew.need(i)
		sum += rates[m]
		least = min(least, rates[m]/n.steps)
		most = max(most, (n.elapsed+n.steps/rates[m])/n.due)
	}
	switch {
	case a.Goal == PackThroughput:
		return sum
	case a.Goal == PackMaxMin && a.crew.lack:
		return 0
	case a.Goal == PackMaxMin:
		return least
	case a.crew.lack:
		return math.Inf(1)
	}
	return most
}
