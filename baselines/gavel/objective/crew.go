package objective

import (
	"errors"
	"math"

	"tarry/internal/choice"
)

// errTypes is returned when more types have GPUs than the solver has rows.
var errTypes = errors.New("gavel: more than 8 types of GPU")

// crew has the jobs of an input that can run, as groups of equal ones.
type crew struct {
	types  []int32 // that have GPUs
	parts  []float64
	caps   []float64 // GPUs of the types, or of all of them together
	pooled bool      // every job runs equally fast on all types: they are one
	lack   bool      // a job can run nowhere

	jobs  []int32 // that can run
	group []int32 // of each of them

	rates, inverse []float64 // a row for each group: rates, and 1 / rate where that is not 0
	scale          []float64 // GPUs of one job
	gang           []float64 // of all jobs of the group
	count          []float64 // of jobs
	needs          []need
	table          []int32 // groups by hash + 1
}

// open empties the crew and takes the types that have GPUs; when pool is set and no job's rate
// depends on the type, as one.
func (c *crew) open(in *Input, rates []float64, pool bool) error {
	c.types, c.parts, c.caps = c.types[:0], c.parts[:0], c.caps[:0]
	sum := 0.0
	for j, n := range in.Workers {
		if n > 0 {
			c.types, c.caps = append(c.types, int32(j)), append(c.caps, float64(n))
			sum += float64(n)
		}
	}
	for _, n := range c.caps {
		c.parts = append(c.parts, n/sum)
	}
	if c.pooled = pool && len(c.types) > 1 && c.flat(in, rates); c.pooled {
		c.caps = append(c.caps[:0], sum)
	}
	if len(c.caps) > choice.MaxRows {
		return errTypes
	}
	c.jobs, c.group, c.lack = c.jobs[:0], c.group[:0], false
	c.rates, c.inverse, c.needs = c.rates[:0], c.inverse[:0], c.needs[:0]
	c.scale, c.gang, c.count = c.scale[:0], c.gang[:0], c.count[:0]
	size := 16
	for size < 2*in.Jobs() {
		size *= 2
	}
	if cap(c.table) < size {
		c.table = make([]int32, size)
	}
	c.table = c.table[:size]
	clear(c.table)
	return nil
}

// flat reports whether every job has one rate on all types that have GPUs.
func (c *crew) flat(in *Input, rates []float64) bool {
	for m := range in.Scale {
		row := rates[m*in.Types():][:in.Types()]
		for _, j := range c.types {
			if row[j] != row[c.types[0]] {
				return false
			}
		}
	}
	return true
}

// runs reports whether a job can run, by its rates on all types; if not, the crew lacks one.
func (c *crew) runs(row []float64) bool {
	for _, j := range c.types {
		if row[j] > 0 {
			return true
		}
	}
	c.lack = true
	return false
}

// add adds the job of row m, with its rates on all types, its GPUs and its need, to its group.
func (c *crew) add(m int, row []float64, scale int, n need) {
	from := len(c.rates)
	hash := mix(mix(mix(mix(0, float64(scale)), n.steps), n.due), n.elapsed)
	hash = mix(hash, float64(n.tag))
	for i := range c.caps {
		a := row[c.types[i]]
		n.best = max(n.best, a)
		c.rates = append(c.rates, a)
		hash = mix(hash, a)
	}
	c.jobs = append(c.jobs, int32(m))
	at := hash >> 32 & uint64(len(c.table)-1)
	for ; c.table[at] > 0; at = (at + 1) & uint64(len(c.table)-1) {
		g := int(c.table[at] - 1)
		if c.needs[g] == n && c.scale[g] == float64(scale) && same(c.row(g), c.rates[from:]) {
			c.rates = c.rates[:from]
			c.gang[g] += float64(scale)
			c.count[g]++
			c.group = append(c.group, int32(g))
			return
		}
	}
	g := int32(len(c.needs))
	c.table[at] = g + 1
	c.group = append(c.group, g)
	c.needs = append(c.needs, n)
	c.scale, c.gang, c.count = append(c.scale, float64(scale)), append(c.gang, float64(scale)), append(c.count, 1)
	for _, a := range c.rates[from:] {
		if a > 0 {
			a = 1 / a
		}
		c.inverse = append(c.inverse, a)
	}
}

// mix adds a number to a hash.
func mix(hash uint64, v float64) uint64 {
	hash = (hash ^ math.Float64bits(v)) * 0x9e3779b97f4a7c15
	return hash ^ hash>>29
}

// same reports whether two rows are equal.
func same(a, b []float64) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// row has the rates of a group.
func (c *crew) row(g int) []float64 { return c.rates[g*len(c.caps) : (g+1)*len(c.caps)] }

// need of the i-th of the jobs.
func (c *crew) need(i int) *need { return &c.needs[c.group[i]] }

// spend adds time on a type of the crew to a job's row of the matrix, on all in proportion when
// they are one.
func (c *crew) spend(row []float64, j int32, time float64) {
	switch {
	case j < 0:
	case !c.pooled:
		row[c.types[j]] += time
	default:
		for i, t := range c.types {
			row[t] += float64(time * c.parts[i])
		}
	}
}
