package objective

import (
	"errors"
	"math"

	"tarry/internal/choice"
)

// need states which rate a job must have at the level q: base + steps q / (due - elapsed q), which
// grows with q and is convex. With due 1 and elapsed 0 it is a line.
type need struct {
	steps, due, elapsed float64
	base                float64 // rate at the level 0
	best                float64 // the job's largest rate
	tag                 int     // jobs of different tags are not equal
}

// rate at a level, and how fast it grows. No level above the top is asked for: more than the
// largest rate is rounding.
func (n *need) rate(q float64) (r, slope float64) {
	left := n.due - float64(n.elapsed*q)
	return min(n.base+n.steps*q/left, n.best), n.steps * n.due / left / left
}

// most is the level at which a job has its largest rate.
func (n *need) most() float64 {
	if n.steps == 0 {
		return math.Inf(1)
	}
	rise := n.best - n.base
	return rise * n.due / (n.steps + float64(rise*n.elapsed))
}

// way is an option of a job: the fraction x of its time on one type and y on another.
type way struct {
	first, second int32 // rows of the problem; second -1: none
	x, y          float64
}

// level finds the largest level q at which every job can have the rate that it needs. That is
// max-min fairness, the makespan (q = 1/T) and finish-time fairness (q = 1/rho).
//
// For a given q the job's cheapest ways to its rate are the vertices of {sum_j T_j x_j >= r, sum_j
// x_j <= 1}: one type for r / T_j of the time, or two types, a faster and a slower one, for all of
// it. So "what factor on all capacities is needed at q?" is a problem of package choice, and its
// prices of GPUs give a lower bound of that factor for all q, a sum over jobs of convex functions.
// The loop finds the q at which the bound is 1, which costs a few passes over the jobs, and solves
// there; the new prices give the next, lower q. It ends where the factor is 1: after one or two
// solves when the prices of the last call still hold. Each q is an upper bound of the optimum, the
// last is it.
//
// Jobs of equal rates, gang and need are one group of the problem and get equal fractions.
type level struct {
	crew
	ways    []way
	problem choice.Problem
	solver  choice.Solver
	filler  choice.Solver // of what is left over
	z       []float64
	proof   []float64 // prices at which the last level is the largest
}

// clone copies what the next solve depends on.
func (l *level) clone() level {
	var c level
	c.solver.Price = append(c.solver.Price, l.solver.Price...)
	c.filler.Price = append(c.filler.Price, l.filler.Price...)
	return c
}

// top is the level above which some job cannot come, however many GPUs there are.
func (l *level) top() float64 {
	q := math.Inf(1)
	for i := range l.needs {
		q = min(q, l.needs[i].most())
	}
	return q
}

// exact is how near to 1 the factor on the capacities must be.
const exact = 1e-12

// solve finds the level, the mix at it, and the factor on the capacities that the mix needs, 1 or
// less.
func (l *level) solve() (q, stretch float64, err error) {
	top := l.top()
	price := l.prices()
	q = top
	for range 200 {
		last := q
		q = max(min(l.root(price, q), top), 0)
		l.proof = append(l.proof[:0], price...)
		if stretch, err = l.at(q); err != nil {
			return 0, 0, err
		}
		if stretch <= 1+exact || q == last && stretch <= 1+1e3*exact { // or rounding is all that is left
			return q, stretch, nil
		}
		price = l.solver.Price
	}
	return 0, 0, errors.New("gavel: the level does not settle")
}

// prices are the prices of the last solve, in the measure of the capacities of this one, or equal
// ones: all GPUs cost 1.
func (l *level) prices() []float64 {
	s := &l.solver
	paid, sum := 0.0, 0.0
	for i, c := range l.caps {
		sum += c
		if len(s.Price) == len(l.caps) {
			paid += float64(s.Price[i] * c)
		}
	}
	if !(paid > 0) {
		s.Price, paid = s.Price[:0], sum
		for range l.caps {
			s.Price = append(s.Price, 1)
		}
	}
	for i := range s.Price {
		s.Price[i] /= paid
	}
	return s.Price
}

// root is the level, at most q, at which the cheapest ways of all jobs cost 1 at the prices. The
// cost is convex in the level, so that Newton's method comes down to it from above.
func (l *level) root(price []float64, q float64) float64 {
	for range 100 {
		cost, slope := l.cost(price, q)
		if !(cost > 1+exact/4) {
			break
		}
		next := q - (cost-1)/slope
		if !(next < q) {
			break
		}
		q = next
	}
	return q
}

// cost is what the cheapest ways of all jobs cost at a level, and how fast that grows with the
// level.
func (l *level) cost(price []float64, q float64) (cost, slope float64) {
	for i := range l.needs {
		r, grows := l.needs[i].rate(q)
		c, s := cheapest(l.row(i), l.inverse[i*len(price):][:len(price)], price, r)
		cost += float64(c * l.gang[i])
		slope += float64(float64(s*grows) * l.gang[i])
	}
	return cost, slope
}

// reach allows a rate to be above a type's by rounding. sliver is the part of the time from which
// on a second type is an option of its own. Without the two, rounding makes pairs of options that
// are the same but for the last digits.
const (
	reach  = 1 - 1e-11
	sliver = 1e-10
)

// cheapest is the least price of the ways to a rate, and its derivative towards lower rates: where
// a type is only just fast enough, several ways cost the same, and the cost falls along the
// steepest.
func cheapest(rates, inverse, price []float64, r float64) (cost, slope float64) {
	cost = math.Inf(1)
	floor := r * reach
	for j, a := range rates {
		if a < floor || a == 0 {
			continue
		}
		s := price[j] * inverse[j]
		cost, slope = steeper(cost, slope, float64(s*r), s)
		for k, b := range rates {
			if b < floor && b > 0 && price[k] < price[j] { // else the first alone is as cheap
				s := (price[j] - price[k]) / (a - b)
				cost, slope = steeper(cost, slope, price[k]+float64(s*(min(r, a)-b)), s)
			}
		}
	}
	return cost, slope
}

// steeper chooses the cheaper of two ways, or of equal ones the steeper.
func steeper(cost, slope, c, s float64) (float64, float64) {
	if near := float64(1e-13 * c); c < cost-near || c <= cost+near && s > slope {
		return min(cost, c), s
	}
	return cost, slope
}

// at solves for the factor at a level.
func (l *level) at(q float64) (float64, error) {
	l.problem.Reset(l.caps)
	l.ways = l.ways[:0]
	for i := range l.needs {
		r, _ := l.needs[i].rate(q)
		floor := r * reach
		row := l.row(i)
		for j, a := range row {
			if a < floor || a == 0 {
				continue
			}
			l.option(i, j, -1, min(r*l.inverse[i*len(row)+j], 1), 0, 0)
			for k, b := range row {
				if b < floor && b > 0 {
					if x := (r - b) / (a - b); x < 1-sliver {
						l.option(i, j, k, x, 1-x, 0)
					}
				}
			}
		}
		l.problem.Close()
	}
	return l.solver.Stretch(&l.problem)
}

// option adds an option to the problem, with what it costs for each job.
func (l *level) option(i, j, k int, x, y, cost float64) {
	use := l.problem.Option(float64(cost * l.count[i]))
	w := way{int32(j), int32(k), x, y}
	use[j] = float64(x * l.gang[i])
	if k >= 0 {
		use[k] = float64(y * l.gang[i])
	}
	l.ways = append(l.ways, w)
}

// write adds the mix that a solver found last, times a factor, to a matrix.
func (l *level) write(s *choice.Solver, x *Matrix, factor float64) {
	if n := len(l.ways); cap(l.z) < n {
		l.z = make([]float64, n, n+n/4)
	} else {
		l.z = l.z[:n]
	}
	s.Weights(l.z)
	first := l.problem.First
	for i, m := range l.jobs {
		row := x.Row(int(m))
		g := l.group[i]
		for o := first[g]; o < first[g+1]; o++ {
			if z := l.z[o] * factor; z > 0 {
				w := &l.ways[o]
				l.spend(row, w.first, float64(z*w.x))
				l.spend(row, w.second, float64(z*w.y))
			}
		}
	}
}

// allocate solves, hands out what is left over, and writes the fractions.
func (l *level) allocate(in *Input, x *Matrix) (q float64, err error) {
	x.Reset(in.Rows(), in.Types())
	if len(l.jobs) == 0 {
		return 0, nil
	}
	q, stretch, err := l.solve()
	if err != nil {
		return 0, err
	}
	if !l.idle(stretch) {
		l.write(&l.solver, x, min(1/stretch, 1))
		return q, nil
	}
	if err := l.fill(q); err != nil {
		return 0, err
	}
	l.write(&l.filler, x, 1)
	return q, nil
}

// got is the rate of a row of the matrix.
func got(rates, row []float64) float64 {
	sum := 0.0
	for j, v := range row {
		sum += float64(v * rates[j])
	}
	return sum
}
