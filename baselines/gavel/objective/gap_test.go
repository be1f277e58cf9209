package objective

import (
	"math"
	"testing"
)

// hull is the least price at which a job can have a rate of at least r with all of its time or
// less: over every pair of points on either side of r, no time at all (rate 0, price 0) among them.
// +Inf: it cannot.
func hull(rates, price []float64, r float64) float64 {
	rates, price = append([]float64{0}, rates...), append([]float64{0}, price...)
	least := math.Inf(1)
	for j, a := range rates {
		for k, b := range rates {
			switch {
			case a >= r && b < r:
				z := (r - b) / (a - b)
				least = min(least, z*price[j]+(1-z)*price[k])
			case a >= r:
				least = min(least, price[j])
			}
		}
	}
	return least
}

// proved checks that no level above q (1 + 1e-9) is possible: a job would need more than its
// largest rate, or all jobs together more GPUs than there are, by the prices of the last solve.
func proved(t *testing.T, l *level, q float64) {
	t.Helper()
	q *= 1 + 1e-9
	cost, paid := 0.0, 0.0
	for i, p := range l.solver.Price {
		paid += p * l.caps[i]
	}
	for i, n := range l.needs { // groups
		left := n.due - n.elapsed*q
		if left <= 0 {
			return
		}
		cost += l.gang[i] * hull(l.row(i), l.solver.Price, n.steps*q/left)
	}
	if !(cost >= paid) {
		t.Errorf("at the level %v all jobs cost %v, all GPUs %v: the level could be higher", q, cost, paid)
	}
}

// TestGaps proves the optimum of every instance by its prices, without the reference.
func TestGaps(t *testing.T) {
	var x Matrix
	for _, i := range instances(t, "max_min_fairness") {
		a := &MaxMin{Typed: true}
		if q, err := a.Allocate(i.input(), &x); err != nil {
			t.Error(err)
		} else {
			proved(t, &a.level, q)
		}
	}
	for _, i := range instances(t, "min_makespan") {
		a := &Makespan{Typed: true}
		if span, err := a.Allocate(i.input(), &x); err != nil {
			t.Error(err)
		} else if i.Status == "optimal" {
			proved(t, &a.level, 1/span)
		}
	}
	for _, i := range instances(t, "finish_time_fairness") {
		a := &FinishTime{Typed: true}
		if rho, err := a.Allocate(i.input(), &x); err != nil {
			t.Error(err)
		} else if i.Status == "optimal" {
			proved(t, &a.level, 1/rho)
		}
	}
	for _, i := range instances(t, "max_throughput_per_cost") {
		a := &Throughput{Priced: true, Limits: true}
		sum, err := a.Allocate(i.input(), &x)
		s := &a.limited
		if len(i.SLOS) == 0 || a.Missed() {
			s = &a.level.filler
		}
		if err != nil || math.Abs(s.Bound+sum) > 1e-9*sum {
			t.Errorf("throughput %d: %v, bound %v, error %v", i.ID, sum, -s.Bound, err)
		}
	}
}
