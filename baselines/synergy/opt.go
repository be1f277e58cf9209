package synergy

import (
	"errors"
	"math"

	"tarry/internal/choice"
)

// chooser finds opt's cells.
type chooser struct {
	problem choice.Problem
	solver  choice.Solver
	caps    [2]float64
	saved   []entry
}

// opt plans a round as tune does, then one with the cells that bring the most in sum, and takes the
// plan that brings more. A plan of it ends in free's journal like any other.
func (c *chooser) opt(k *packer, nodes int) {
	mark := k.free.Mark()
	k.tune()
	sum := k.sum()
	c.saved = append(c.saved[:0], k.list...)
	k.free.Rollback(mark)
	k.open(k.free)
	if _, _, ok := c.choose(k, nodes); ok {
		if k.tune(); k.sum() >= sum {
			return
		}
		k.free.Rollback(mark)
	}
	copy(k.list, c.saved)
	k.placed = 0
	for i := range k.list {
		if e := &k.list[i]; e.got != nil {
			k.free.TakeAll(e.got)
			k.placed++
		}
	}
}

// choose sets what each job wants to the cells that bring the most in sum within the CPU and memory
// of machines that have free GPUs, such that no job has less than at its part, and gives that sum:
// if it is proved (exact) no placement of these jobs brings more. ok is false, and wants stay as
// they are, where nothing is found.
func (c *chooser) choose(k *packer, nodes int) (sum float64, exact, ok bool) {
	c.capacities(k)
	c.problem.Reset(c.caps[:])
	for i := range k.list {
		e := &k.list[i]
		for _, o := range e.m.options {
			use := c.problem.Option(-e.m.value[o])
			use[0] = float64(e.gpus) * float64(e.m.cells[o].cpu)
			use[1] = float64(e.gpus) * float64(e.m.cells[o].mem)
		}
		c.problem.Close()
	}
	c.solver.Price = c.solver.Price[:0] // equal rounds have equal choices
	c.solver.MaxNodes = nodes
	cost, err := c.solver.Pick(&c.problem)
	if err != nil && !errors.Is(err, choice.ErrNodes) || math.IsInf(cost, 1) {
		return 0, false, false
	}
	for i := range k.list {
		e := &k.list[i]
		o := e.m.options[c.solver.Picked(i)-int(c.problem.First[i])]
		e.want, e.best = e.m.cells[o], e.m.value[o]
	}
	return -cost, err == nil, true
}

// capacities sums up the CPU and memory of machines with free GPUs. Where one of them states none
// the resource does not bind.
func (c *chooser) capacities(k *packer) {
	c.caps = [2]float64{}
	bound := [2]bool{true, true}
	for m := range k.cpu {
		if k.free.InMachine(m) == 0 {
			continue
		}
		for r, has := range [2]int64{k.top.CPUMilli(m), k.top.MemMiB(m)} {
			c.caps[r] += float64(has)
			bound[r] = bound[r] && has > 0
		}
	}
	for r := range bound {
		if bound[r] {
			continue
		}
		c.caps[r] = 0
		for i := range k.list {
			e, most := &k.list[i], int32(0)
			for _, o := range e.m.options {
				most = max(most, [2]int32{e.m.cells[o].cpu, e.m.cells[o].mem}[r])
			}
			c.caps[r] += float64(e.gpus) * float64(most)
		}
	}
}
