package cells

import (
	"cmp"
	"fmt"
	"slices"
)

// Cluster is the state of all cells and groups.
type Cluster struct {
	chains []*chain // the order in which they are tried: by name, backwards
	vcs    []*tenant
	groups map[string]*group
	pods   map[string]*group
	nodes  map[string][]*cell // a name may stand in several trees
	names  []string           // of nodes, in the order of the configuration
	pins   map[string]*cell

	scratch []int
	keys    []uint64
}

// New builds a cluster of healthy nodes. It refuses what tenants bought when the physical cells do
// not hold it.
func New(cfg Config) (*Cluster, error) {
	c := &Cluster{groups: map[string]*group{}, pods: map[string]*group{}, nodes: map[string][]*cell{},
		pins: map[string]*cell{}}
	for _, t := range cfg.Tops {
		if err := c.addTop(&cfg, t); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(c.chains, func(a, b *chain) int { return cmp.Compare(b.name, a.name) })
	for _, v := range cfg.VCs {
		if err := c.addVC(v); err != nil {
			return nil, err
		}
	}
	for _, ch := range c.chains {
		if l := unsafe(ch.counts(), ch.promised, ch.kids); l > 0 {
			return nil, fmt.Errorf("VC cells do not fit the physical cells: tenants bought too many %s of %s",
				ch.types[l], ch.name)
		}
	}
	if cfg.Healthy {
		return c, nil
	}
	// Nodes are bad until they report, one after the other. What that leaves is the order of free
	// cells, which decides between equal ones; the published places imply it.
	for _, n := range c.names {
		c.mark(n, true)
	}
	for _, n := range c.names {
		c.mark(n, false)
	}
	return c, nil
}

// chainOf gives the chain of a top type and makes it when it is new.
func (c *Cluster) chainOf(cfg *Config, top string) (*chain, error) {
	for _, ch := range c.chains {
		if ch.name == top {
			return ch, nil
		}
	}
	types, kids, node := []string{}, []int{}, -1
	for name := top; ; {
		t, above := cfg.Types[name]
		types = append(types, name)
		if !above {
			kids = append(kids, 0)
			break
		}
		if t.Children < 1 || len(types) > len(cfg.Types) {
			return nil, fmt.Errorf("cell type %s has %d children or holds itself, expected 1 or more of another type",
				name, t.Children)
		}
		if t.Node {
			if node >= 0 {
				return nil, fmt.Errorf("cell type %s is a node within a node", name)
			}
			node = len(types) - 1
		}
		kids, name = append(kids, t.Children), t.Child
	}
	if node < 0 {
		return nil, fmt.Errorf("cell type %s has no node among its cells", top)
	}
	slices.Reverse(types)
	slices.Reverse(kids)
	n := len(types)
	ch := &chain{name: top, gpuType: types[0], types: append([]string{""}, types...), kids: append([]int{0}, kids...),
		node: n - node,
		size: make([]int, n+1), free: make([][]*cell, n+1), promised: make([]int, n+1)}
	ch.size[1] = 1
	for l := 2; l <= n; l++ {
		ch.size[l] = ch.size[l-1] * ch.kids[l]
	}
	c.chains = append(c.chains, ch)
	return ch, nil
}

// tree makes a cell and all below.
func (ch *chain) tree(level int, parent *cell) *cell {
	c := &cell{chain: ch, level: level, parent: parent, prio: idle}
	for range ch.kids[level] {
		c.children = append(c.children, ch.tree(level-1, c))
	}
	return c
}

func (c *Cluster) addTop(cfg *Config, t Top) error {
	ch, err := c.chainOf(cfg, t.Type)
	if err != nil {
		return err
	}
	top := ch.tree(ch.top(), nil)
	nodes := top.at(ch.node, nil)
	if len(nodes) != len(t.Nodes) {
		return fmt.Errorf("a top cell %s has %d nodes, expected %d", t.Type, len(t.Nodes), len(nodes))
	}
	for i, n := range nodes {
		name := t.Nodes[i]
		gpus, given := t.GPUs[name]
		if given && len(gpus) != ch.size[ch.node] {
			return fmt.Errorf("node %s has %d GPU indices, expected %d", name, len(gpus), ch.size[ch.node])
		}
		for l := 1; l <= ch.node; l++ {
			for j, x := range n.at(l, nil) {
				x.node = name
				if l == 1 {
					x.gpu = j
					if given {
						x.gpu = gpus[j]
					}
				}
			}
		}
		if c.nodes[name] == nil {
			c.names = append(c.names, name)
		}
		c.nodes[name] = append(c.nodes[name], n)
	}
	ch.tops, ch.nodes = append(ch.tops, top), append(ch.nodes, nodes...)
	ch.free[top.level] = append(ch.free[top.level], top)
	for _, p := range t.Pinned {
		found := pin(top, p)
		if found == nil || c.pins[p.Name] != nil {
			return fmt.Errorf("pinned cell %q has no such nodes or GPU, or its name is taken", p.Name)
		}
		c.pins[p.Name] = found
	}
	return nil
}

// pin finds the smallest cell that holds what a pin names.
func pin(top *cell, p Pin) *cell {
	var found *cell
	for _, leaf := range top.at(1, nil) {
		if !slices.Contains(p.Nodes, leaf.node) || p.GPU >= 0 && leaf.gpu != p.GPU {
			continue
		}
		if found == nil {
			found = leaf
			if p.GPU < 0 {
				found = leaf.up(top.chain.node)
			}
		}
		for leaf.up(found.level) != found {
			found = found.parent
		}
	}
	return found
}
