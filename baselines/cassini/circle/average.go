package circle

import (
	"cmp"
	"slices"
)

// edge is a change of the demand at a time of the circle, in angles-ths of a tick.
type edge struct {
	at int64
	by float64
}

// Average is the score of shifts in angles-ths of a tick over all times, not at A angles.
func (c *Circle) Average(shifts []int64) float64 {
	parts := int64(c.angles)
	around := c.perimeter * parts
	now, excess := 0.0, 0.0
	c.edges = c.edges[:0]
	for i := range c.jobs {
		j := &c.jobs[i]
		for _, a := range j.Arcs {
			if a.Length == j.Period {
				now += a.Demand
				continue
			}
			for lap := int64(0); lap < c.perimeter; lap += j.Period {
				from := mod((a.Start+lap)*parts+shifts[i], around)
				to := mod((a.Start+a.Length+lap)*parts+shifts[i], around)
				if to < from {
					now += a.Demand
				}
				c.edges = append(c.edges, edge{from, a.Demand}, edge{to, -a.Demand})
			}
		}
	}
	slices.SortFunc(c.edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	last := int64(0)
	for _, e := range c.edges {
		excess += max(0, now-c.capacity) * float64(e.at-last)
		now, last = now+e.by, e.at
	}
	excess += max(0, now-c.capacity) * float64(around-last)
	return 1 - excess/(float64(around)*c.capacity)
}

// Two is the best average score of two jobs that ask for a whole link in one arc each, over all
// shifts: with g the greatest common divisor of the iteration times and the arcs q g + r long, the
// least mean excess is (q1 q2 g + q1 r2 + q2 r1 + max(0, r1 + r2 - g)) / P.
func Two(period1, arc1, period2, arc2 int64) float64 {
	g := gcd(period1, period2)
	q1, r1, q2, r2 := arc1/g, arc1%g, arc2/g, arc2%g
	excess := float64(q1*q2*g+q1*r2+q2*r1) + float64(max(0, r1+r2-g))
	return 1 - excess/(float64(period1)*float64(period2/g))
}

// Random is the mean score of jobs that ask for the whole link in these parts of the time, each at a
// time that has nothing to do with the others': where iteration times have no short common multiple,
// no shift changes more.
func Random(parts []float64) float64 {
	sum, none := 0.0, 1.0
	for _, p := range parts {
		sum += p
		none *= 1 - p
	}
	return min(1, 2-sum-none)
}
