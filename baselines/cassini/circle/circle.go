// Package circle is the geometry of CASSINI: which rotations keep the transfers of periodic jobs on
// one link apart.
//
// The demand of a job is rolled around a circle of its iteration time. Jobs of one link share a
// circle whose perimeter P is the least common multiple of their iteration times, looked at in A
// angles: angle k is the time k P/A. A job that is shifted by s has at time t the demand of
// (t - s) mod T, and
//
//	score = 1 - (sum over angles of max(0, demand - C)) / (A C)
//
// for a link of capacity C: 1 where no angle has more demand than the link carries.
//
// Reading guide: circle.go the circle and the score of given shifts; search.go the best shifts;
// average.go the score over all times in place of A angles, and closed forms; unify.go iteration
// times with a short common multiple; affinity.go jobs and links as a graph, and one shift for each
// job.
//
// Times are whole ticks of any length, shifts A-ths of a tick, so that angles are exact.
package circle

// Arc is a part of an iteration in which a job has a demand.
type Arc struct {
	// Start is where it begins; it may end in the next iteration.
	Start, Length int64
	Demand        float64
}

// Job is a periodic demand: the sum of its arcs.
type Job struct {
	// Period is the iteration time, >= 1. Arcs are at most as long.
	Period int64
	Arcs   []Arc
}

// at is the demand at a time in parts of a tick.
func (j *Job) at(x, parts int64) float64 {
	sum, period := 0.0, j.Period*parts
	for _, a := range j.Arcs {
		if mod(x-a.Start*parts, period) < a.Length*parts {
			sum += a.Demand
		}
	}
	return sum
}

// mod is x mod n, in 0..n-1.
func mod(x, n int64) int64 {
	if x %= n; x < 0 {
		x += n
	}
	return x
}

// Circle is the unified circle of the jobs of a link. Open begins one; the zero value is ready for
// it. It allocates nothing once warm.
type Circle struct {
	angles    int
	capacity  float64
	perimeter int64
	jobs      []Job
	// table has the demand of each job at each angle, rotations the number of angles below its period.
	table     []float64
	rotations []int32

	turn  []int32   // by job: its rotation
	sum   []float64 // demand at each angle, one circle for each depth of the search
	edges []edge
	best  []int32
}

// Open begins the circle of some jobs on a link with a capacity > 0. It keeps the list of jobs. It
// reports whether the perimeter is at most as long as given; else the circle is empty.
func (c *Circle) Open(capacity float64, angles int, jobs []Job, most int64) bool {
	c.angles, c.capacity, c.jobs, c.perimeter = angles, capacity, jobs, 1
	c.table, c.rotations = c.table[:0], c.rotations[:0]
	for i := range jobs {
		p, ok := lcm(c.perimeter, jobs[i].Period, most)
		if !ok {
			c.jobs = nil
			return false
		}
		c.perimeter = p
	}
	for i := range jobs {
		j := &jobs[i]
		for k := range int64(angles) {
			c.table = append(c.table, j.at(k*c.perimeter, int64(angles)))
		}
		laps := c.perimeter / j.Period
		c.rotations = append(c.rotations, int32((int64(angles)+laps-1)/laps))
	}
	return true
}

// Perimeter is the least common multiple of the iteration times.
func (c *Circle) Perimeter() int64 { return c.perimeter }

// Score is the score of shifts in angles-ths of a tick, one for each job.
func (c *Circle) Score(shifts []int64) float64 {
	excess, parts := 0.0, int64(c.angles)
	for k := range parts {
		sum := 0.0
		for i := range c.jobs {
			sum += c.jobs[i].at(k*c.perimeter-shifts[i], parts)
		}
		excess += max(0, sum-c.capacity)
	}
	return c.score(excess)
}

// score is the score of a sum of demands beyond the capacity.
func (c *Circle) score(excess float64) float64 {
	return 1 - excess/(float64(c.angles)*c.capacity)
}

// gcd is the greatest common divisor of numbers >= 0.
func gcd(a, b int64) int64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// lcm is the least common multiple of numbers >= 1, and whether it is at most as large as given.
func lcm(a, b, most int64) (int64, bool) {
	q := b / gcd(a, b)
	if a > most/q {
		return 0, false
	}
	return a * q, true
}
