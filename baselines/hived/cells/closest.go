package cells

// closest picks n GPUs of a node that have the lowest common ancestor, among those held at lower
// priorities than prio; idle ones come before used ones, in the order of the tree.
// nil = there are fewer.
func closest(node *cell, n, prio int) []*cell {
	list := make([]*cell, 0, node.chain.size[node.level])
	leaves := node.gpus()
	for _, x := range leaves {
		if !x.picked && x.prio == idle {
			list = append(list, x)
		}
	}
	for _, x := range leaves {
		if !x.picked && x.prio != idle && x.prio < prio {
			list = append(list, x)
		}
	}
	for l := 1; l <= node.level; l++ {
		if node.chain.size[l] < n {
			continue
		}
		for i, x := range list {
			if got := within(list[i:], x.up(l), n); got != nil {
				return got
			}
		}
	}
	return nil
}

// within gives the first n of a list that are below a cell.
func within(list []*cell, above *cell, n int) []*cell {
	out := make([]*cell, 0, n)
	for _, x := range list {
		if x.up(above.level) != above {
			continue
		}
		if out = append(out, x); len(out) == n {
			return out
		}
	}
	return nil
}
