package circle

import "math"

// Unset is the shift of a job that Best is free to choose first.
const Unset = -1

// effort bounds the rotations that the search looks at where there are more than three jobs.
const effort = 20_000

// Best finds the shifts with the highest score among multiples of P/A, job 0 at 0, which loses
// nothing: a common rotation changes no score. It begins with the given shifts, rounded,
// and replaces them only by better ones, so that jobs which are well apart stay where they are. Jobs
// whose shift is Unset are put in first, one after the other, each at its first best rotation.
//
// Then each job in turn takes the best rotation beside the others, until none gains. With three jobs
// or fewer a search depth first over all rotations follows, without rotations that have as much
// excess already as the best: the result is the optimum. With more jobs it ends after 20 000
// rotations. exact reports whether nothing was left out; no search is needed where the excess is the
// least that the sum of demands allows.
func (c *Circle) Best(shifts []int64) (score float64, exact bool) {
	n, a := len(c.jobs), c.angles
	if n == 0 {
		return 1, true
	}
	c.begin(shifts)
	least, excess := c.least(), c.descend()
	exact = excess <= least+c.tiny()
	if !exact {
		s := search{c: c, least: least, found: excess, left: effort, bounded: n > 3}
		c.best = append(c.best[:0], c.turn...)
		c.turn[0] = 0
		copy(c.sum[:a], c.table[:a])
		s.deepen(1)
		copy(c.turn, c.best)
		exact, excess = !s.bounded || s.left > 0, s.found
	}
	for i := range shifts {
		shifts[i] = int64(c.turn[i]) * c.perimeter
	}
	return c.score(excess), exact
}

// tiny is how much excess is none.
func (c *Circle) tiny() float64 { return 1e-9 * c.capacity * float64(c.angles) }

// least is the excess that no rotation can avoid.
func (c *Circle) least() float64 {
	sum := -float64(c.angles) * c.capacity
	for _, d := range c.table {
		sum += d
	}
	return max(0, sum)
}

// begin sets the rotations with which the search begins, and the sum of their demands.
func (c *Circle) begin(shifts []int64) {
	n, a := len(c.jobs), c.angles
	for len(c.sum) < n*a {
		c.sum = append(c.sum, 0)
	}
	c.turn = c.turn[:0]
	sum, first := c.sum[:a], max(0, shifts[0])
	copy(sum, c.table[:a])
	for i := range c.jobs {
		turn := int32(0)
		if i > 0 && shifts[i] != Unset {
			period := c.jobs[i].Period * int64(a)
			turn = int32((mod(shifts[i]-first, period)+c.perimeter/2)/c.perimeter) % c.rotations[i]
			c.add(sum, i, turn)
		}
		c.turn = append(c.turn, turn)
	}
	for i := 1; i < n; i++ {
		if shifts[i] == Unset {
			c.turn[i], _ = c.cheapest(sum, i, -1)
			c.add(sum, i, c.turn[i])
		}
	}
}

// add adds the demand of a job at a rotation.
func (c *Circle) add(sum []float64, job int, turn int32) {
	a := c.angles
	t, k := c.table[job*a:(job+1)*a], int(turn)
	for i, d := range t[:a-k] {
		sum[k+i] += d
	}
	for i, d := range t[a-k:] {
		sum[i] += d
	}
}

// remove is add of the negative demand; what is left is rounded to what it was.
func (c *Circle) remove(sum []float64, job int, turn int32) {
	a := c.angles
	t, k := c.table[job*a:(job+1)*a], int(turn)
	for i, d := range t[:a-k] {
		sum[k+i] -= d
	}
	for i, d := range t[a-k:] {
		sum[i] -= d
	}
}

// excess is the demand beyond the capacity, over all angles, with a job more at a rotation. It stops
// where it is as large as most.
func (c *Circle) excess(sum []float64, job int, turn int32, most float64) float64 {
	a := c.angles
	t, k, e := c.table[job*a:(job+1)*a], int(turn), 0.0
	for i, d := range t[:a-k] {
		e += max(0, sum[k+i]+d-c.capacity)
	}
	if e >= most {
		return e
	}
	for i, d := range t[a-k:] {
		e += max(0, sum[i]+d-c.capacity)
	}
	return e
}

// cheapest is the first rotation of a job with the least excess, or its present one if no other
// has less; -1 = it has none.
func (c *Circle) cheapest(sum []float64, job int, has int32) (turn int32, excess float64) {
	turn, excess = max(0, has), c.excess(sum, job, max(0, has), math.MaxFloat64)
	for t := range c.rotations[job] {
		if e := c.excess(sum, job, t, excess); e < excess-c.tiny() {
			turn, excess = t, e
		}
	}
	return turn, excess
}

// descend lets each job take its best rotation beside the others, until none gains, and gives the
// excess.
func (c *Circle) descend() float64 {
	sum := c.sum[:c.angles]
	excess := 0.0
	for _, d := range sum {
		excess += max(0, d-c.capacity)
	}
	for gains := true; gains; {
		gains = false
		for i := 1; i < len(c.jobs); i++ {
			was := c.turn[i]
			c.remove(sum, i, was)
			turn, e := c.cheapest(sum, i, was)
			c.add(sum, i, turn)
			c.turn[i] = turn
			gains, excess = gains || turn != was, e
		}
	}
	return excess
}

// search is a search depth first for less excess than was found.
type search struct {
	c            *Circle
	least, found float64
	left         int
	bounded      bool
}

// deepen tries all rotations of a job and of those after it. The sum at a depth holds the jobs
// before it.
func (s *search) deepen(job int) {
	c, a := s.c, s.c.angles
	if job == len(c.jobs) {
		return
	}
	sum := c.sum[(job-1)*a : job*a]
	for t := range c.rotations[job] {
		if s.found <= s.least+c.tiny() || s.bounded && s.left == 0 {
			return
		}
		s.left--
		c.turn[job] = t
		switch e := c.excess(sum, job, t, s.found); {
		case e >= s.found-c.tiny():
		case job == len(c.jobs)-1:
			s.found = e
			copy(c.best, c.turn)
		default:
			next := c.sum[job*a : (job+1)*a]
			copy(next, sum)
			c.add(next, job, t)
			s.deepen(job + 1)
		}
	}
}
