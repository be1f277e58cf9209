package cells

// cell is a physical or virtual cell.
type cell struct {
	chain    *chain
	level    int // 1 = GPU
	parent   *cell
	children []*cell
	leaves   []*cell // see gpus
	// peer is the physical cell that a virtual one is bound to and the other way round; nil = none.
	peer *cell
	// used counts GPUs below by the priority of who holds them.
	used []tally
	// prio of a GPU is the priority of its holder (or reserver); idle = none.
	prio int
	// picked: a pod of the group being placed has this GPU.
	picked bool

	// Physical cells. node is the node's name, of cells up to a node; split: its children are
	// handled one by one; bad: a node below (or around) is.
	node       string
	gpu        int
	split, bad bool
	// group uses the GPU, claim has reserved it; on a virtual GPU, group is who holds or reserved
	// it.
	group, claim *group

	// Virtual cells. quota is set on a cell that was bought as such (a root); static: pinned;
	// doomed: bound to a bad cell since the tenant has more free cells than there are healthy ones.
	quota          *quota
	static, doomed bool
}

// tally is a number of GPUs at one priority.
type tally struct{ prio, n int }

// chain is all trees of one top type.
type chain struct {
	name    string
	gpuType string
	// types, kids and size have by level the type, the children of a cell, and its GPUs; index 0 is
	// unused.
	types []string
	kids  []int
	size  []int
	// node is the level of a node.
	node  int
	tops  []*cell
	nodes []*cell
	// free are by level the physical cells that are whole and not bound, the largest possible ones.
	free [][]*cell
	// promised are by level the cells that tenants bought and that are not bound now.
	promised []int
}

func (ch *chain) top() int { return len(ch.kids) - 1 }

// quota is what a tenant bought of a chain, or one pinned cell.
type quota struct {
	chain *chain
	roots []*cell
	// view are its virtual nodes, then its bought cells within nodes, large ones first.
	view []*cell
	// free are by level the roots that are not bound.
	free []int
}

// tenant is a VC.
type tenant struct {
	name   string
	quotas []*quota // in the order in which chains are tried
	pinned map[string]*quota
}

// count adds n GPUs of a priority to a GPU's cell and all above.
func count(leaf *cell, prio, n int) {
	for c := leaf; c != nil; c = c.parent {
		c.tally(prio, n)
	}
}

func (c *cell) tally(prio, n int) {
	for i := range c.used {
		if c.used[i].prio != prio {
			continue
		}
		c.used[i].n += n
		if c.used[i].n == 0 {
			last := len(c.used) - 1
			c.used[i] = c.used[last]
			c.used = c.used[:last]
		}
		return
	}
	c.used = append(c.used, tally{prio, n})
}

// usedFrom counts the GPUs held at a priority or higher ones, usedAt those at one.
func (c *cell) usedFrom(prio int) (n int) {
	for _, t := range c.used {
		if t.prio >= prio {
			n += t.n
		}
	}
	return n
}

func (c *cell) usedAt(prio int) int {
	for _, t := range c.used {
		if t.prio == prio {
			return t.n
		}
	}
	return 0
}

// up is the ancestor at a level.
func (c *cell) up(level int) *cell {
	for c.level < level {
		c = c.parent
	}
	return c
}

// gpus are the GPUs below.
func (c *cell) gpus() []*cell {
	if c.leaves == nil {
		c.leaves = c.at(1, nil)
	}
	return c.leaves
}

// at appends the cells of a level at or below c.
func (c *cell) at(level int, out []*cell) []*cell {
	if c.level == level {
		return append(out, c)
	}
	for _, k := range c.children {
		out = k.at(level, out)
	}
	return out
}
