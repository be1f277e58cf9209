package cells

import "slices"

// take removes a cell from the free lists, splitting what it is part of.
func (ch *chain) take(c *cell) {
	for {
		p := c.parent
		whole := p != nil && !p.split
		if whole {
			p.split = true
			ch.free[c.level] = append(ch.free[c.level], p.children...)
		}
		ch.free[c.level] = without(ch.free[c.level], c)
		if !whole {
			return
		}
		c = p
	}
}

// give puts a cell back and merges buddies while all of them are free.
func (ch *chain) give(c *cell) {
	for p := c.parent; p != nil && p.split && !slices.ContainsFunc(p.children,
		func(k *cell) bool { return k.peer != nil || k.split }); p = c.parent {
		for _, k := range p.children {
			if k != c {
				ch.free[k.level] = without(ch.free[k.level], k)
			}
		}
		p.split = false
		c = p
	}
	ch.free[c.level] = append(ch.free[c.level], c)
}

// without removes a cell; the last one takes its place: the order decides between equal cells, and
// the published places imply this one.
func without(list []*cell, c *cell) []*cell {
	i, last := slices.Index(list, c), len(list)-1
	if i < 0 {
		return list
	}
	list[i] = list[last]
	return list[:last]
}

// counts are the lengths of the free lists.
func (ch *chain) counts() []int {
	n := make([]int, len(ch.free))
	for l, f := range ch.free {
		n[l] = len(f)
	}
	return n
}

// unsafe gives the highest level at which free cells, with what is left above cut down, are fewer
// than the promised ones; 0 = every tenant can have all that it bought.
func unsafe(free, promised, kids []int) int {
	spare := 0
	for l := len(kids) - 1; l > 0; l-- {
		if l+1 < len(kids) {
			spare *= kids[l+1]
		}
		if spare += free[l] - promised[l]; spare < 0 {
			return l
		}
	}
	return 0
}

// safe reports whether a free cell of level from may serve a promise of level to.
func safe(free, promised, kids []int, from, to int) bool {
	f, p := slices.Clone(free), slices.Clone(promised)
	f[from]--
	for l := from; l > to; l-- {
		f[l-1] += kids[l] - 1
	}
	p[to]--
	return unsafe(f, p, kids) == 0
}
