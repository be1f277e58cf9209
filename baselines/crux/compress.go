package crux

import (
	"math/rand/v2"
	"slices"
)

// Cutter divides jobs between few levels: a maximum cut of the graph of contention. The zero value
// is ready; it keeps its memory.
type Cutter struct {
	weight         []float64 // n x n: of the edge from a job to one of lower priority that shares a link; 0 = none
	n              int
	group          []int32 // the jobs of one connected part, in order of priority
	seen           []bool
	order, ready   []int32
	before         []int32 // jobs of higher priority on its links that are not in the order
	prefix         []float64
	best           []float64 // by level and length of the order
	from           []int32
	trial, winners []int32
}

// Open begins with n jobs, in order of priority, that share no links.
func (c *Cutter) Open(n int) {
	c.n = n
	c.weight = slices.Grow(c.weight[:0], n*n)[:n*n]
	clear(c.weight)
}

// Join states that jobs i < j, by priority, share a link; weight is the intensity of job i.
func (c *Cutter) Join(i, j int, weight float64) { c.weight[i*c.n+j] = weight }

// Levels appends to dst the level of each job, 0 = the highest of count. No job has a higher level
// than one before it that shares a link with it; the weights between different levels sum to
// the value. Connected parts of the graph are cut one by one. For each the order by priority and
// orders-1 random ones are tried, drawn from r.
func (c *Cutter) Levels(dst []int32, count, orders int, r *rand.Rand) (levels []int32, value float64) {
	base := len(dst)
	for range c.n {
		dst = append(dst, 0)
	}
	c.seen = slices.Grow(c.seen[:0], c.n)[:c.n]
	clear(c.seen)
	for i := range c.n {
		if c.seen[i] {
			continue
		}
		c.gather(int32(i))
		if len(c.group) < 2 {
			continue
		}
		value += c.search(count, orders, r)
		for k, j := range c.group {
			dst[base+int(j)] = c.winners[k]
		}
	}
	return dst, value
}

// gather fills group with the connected part of a job.
func (c *Cutter) gather(first int32) {
	c.group = append(c.group[:0], first)
	c.seen[first] = true
	for at := 0; at < len(c.group); at++ {
		i := int(c.group[at])
		for j := range c.n {
			if !c.seen[j] && (c.weight[i*c.n+j] > 0 || c.weight[j*c.n+i] > 0) {
				c.seen[j] = true
				c.group = append(c.group, int32(j))
			}
		}
	}
	slices.Sort(c.group)
}

// search tries orders of the group, and leaves the levels of the best in winners.
func (c *Cutter) search(count, orders int, r *rand.Rand) float64 {
	most := -1.0
	for k := range max(1, orders) {
		if k == 0 || len(c.group) <= count { // each its own level: no order is better
			c.order = append(c.order[:0], c.group...)
		} else {
			c.draw(r)
		}
		value := c.cut(count)
		if value > most {
			most = value
			c.winners = append(c.winners[:0], c.trial...)
		}
		if len(c.group) <= count {
			break
		}
	}
	return most
}

// draw makes a random topological order of the group: of the jobs all of whose edges come from jobs
// in the order, one is next.
func (c *Cutter) draw(r *rand.Rand) {
	c.order, c.ready = c.order[:0], c.ready[:0]
	c.before = slices.Grow(c.before[:0], c.n)[:c.n]
	for _, j := range c.group {
		c.before[j] = 0
		for _, i := range c.group {
			if c.weight[int(i)*c.n+int(j)] > 0 {
				c.before[j]++
			}
		}
		if c.before[j] == 0 {
			c.ready = append(c.ready, j)
		}
	}
	for len(c.ready) > 0 {
		at := r.IntN(len(c.ready))
		i := c.ready[at]
		c.ready[at] = c.ready[len(c.ready)-1]
		c.ready = c.ready[:len(c.ready)-1]
		c.order = append(c.order, i)
		for _, j := range c.group {
			if c.weight[int(i)*c.n+int(j)] > 0 {
				if c.before[j]--; c.before[j] == 0 {
					c.ready = append(c.ready, j)
				}
			}
		}
	}
}

// cut divides the order into at most count pieces so that the weights between pieces are most, by
// dynamic programming; trial gets the levels of the jobs of the group.
func (c *Cutter) cut(count int) float64 {
	n := len(c.order)
	count = min(count, n)
	row := n + 1
	c.sums(row)
	c.best = slices.Grow(c.best[:0], (count+1)*row)[:(count+1)*row]
	c.from = slices.Grow(c.from[:0], (count+1)*row)[:(count+1)*row]
	clear(c.best[:row])
	for k := 1; k <= count; k++ {
		for i := range row {
			// the last piece is after j; one piece cuts nothing
			most, at := 0.0, 0
			for j := 1; j <= i && k > 1; j++ {
				// between the first j of the order and the rest of the first i
				if f := c.best[(k-1)*row+j] + c.prefix[j*row+i] - c.prefix[j*row+j]; f > most {
					most, at = f, j
				}
			}
			c.best[k*row+i], c.from[k*row+i] = most, int32(at)
		}
	}
	c.trial = slices.Grow(c.trial[:0], n)[:n]
	end := n
	for k := count; k >= 1; k-- {
		begin := int(c.from[k*row+end])
		for _, j := range c.order[begin:end] {
			at, _ := slices.BinarySearch(c.group, j)
			c.trial[at] = int32(k - 1)
		}
		end = begin
	}
	return c.best[count*row+n]
}

// sums fills prefix[i][k] with the weights from the first i of the order to the first k.
func (c *Cutter) sums(row int) {
	c.prefix = slices.Grow(c.prefix[:0], row*row)[:row*row]
	clear(c.prefix)
	for i := 1; i < row; i++ {
		for k := 1; k < row; k++ {
			w := c.weight[int(c.order[i-1])*c.n+int(c.order[k-1])]
			c.prefix[i*row+k] = c.prefix[(i-1)*row+k] + c.prefix[i*row+k-1] - c.prefix[(i-1)*row+k-1] + w
		}
	}
}
