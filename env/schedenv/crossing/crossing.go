// Package crossing counts, for each machine, the running jobs over several machines that use it and so
// meet on its links.
package crossing

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Counts are the counts of an instant. The zero value is ready to Begin; nothing is kept between
// instants.
type Counts struct {
	Jobs  []int32 // machine -> jobs over several machines that use it
	order []int32 // scratch: machines
}

// Begin counts the running jobs.
func (c *Counts) Begin(v *sim.View) {
	n := v.Topology().Machines()
	c.Jobs = slices.Grow(c.Jobs[:0], n)[:n]
	clear(c.Jobs)
	for _, j := range v.Running() {
		c.Add(v.Topology(), v.Run(j).Held())
	}
}

// Add counts a job on GPUs (ascending), if it has several machines.
func (c *Counts) Add(t *cluster.Topology, gpus []cluster.GPU) {
	if len(gpus) == 0 || t.Machine(gpus[0]) == t.Machine(gpus[len(gpus)-1]) {
		return
	}
	last := -1
	for _, g := range gpus {
		if m := t.Machine(g); m != last {
			c.Jobs[m]++
			last = m
		}
	}
}

// Fewest lists the machines with free GPUs: the fewest jobs first, of equals the most free GPUs. The
// list holds until the next call.
func (c *Counts) Fewest(f *cluster.Free) []int32 {
	c.order = c.order[:0]
	for m := range c.Jobs {
		if f.InMachine(m) > 0 {
			c.order = append(c.order, int32(m))
		}
	}
	slices.SortStableFunc(c.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.Jobs[a], c.Jobs[b]), cmp.Compare(f.InMachine(int(b)), f.InMachine(int(a))))
	})
	return c.order
}
