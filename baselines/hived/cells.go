package hived

import (
	"fmt"
	"slices"
	"strconv"

	"tarry/baselines/hived/cells"
	"tarry/sim"
	"tarry/sim/cluster"
)

// kind is what machines of one chain have in common.
type kind struct {
	typ              string
	gpus, slot       int
	cpu, mem, gpuMiB int64
}

// chain is the machines of a kind, with the cells that they are divided into.
type chain struct {
	kind
	name     string // of its GPU type in the cells
	machines []int
	inRack   int   // machines of a top cell; 1 = a machine is the top
	sizes    []int // GPUs of a cell by level, from 1 up; the level of a machine has its GPUs
	node     int   // index of a machine in sizes
	left     int   // GPUs not bought yet
}

// chainsOf divides a cluster by kinds of machines, in the order in which they appear. Racks are
// cells where all that hold machines of a kind hold equally many, else machines are the largest.
func chainsOf(top *cluster.Topology) []chain {
	var out []chain
	for m := range top.Machines() {
		lo, hi := top.MachineGPUs(m)
		k := kind{top.Type(m), int(hi - lo), top.SlotSize(m), top.CPUMilli(m), top.MemMiB(m), top.GPUMiB(m)}
		i := slices.IndexFunc(out, func(c chain) bool { return c.kind == k })
		if i < 0 {
			i = len(out)
			out = append(out, chain{kind: k, name: "kind " + strconv.Itoa(i)})
		}
		out[i].machines = append(out[i].machines, m)
	}
	for i := range out {
		c := &out[i]
		c.inRack = equally(top, c.machines)
		c.left = len(c.machines) * c.gpus
		c.divide()
	}
	return out
}

// equally is the number of machines in each rack that holds some of them; 1 where racks differ.
func equally(top *cluster.Topology, machines []int) int {
	n, last, run := 0, -1, 0
	for i, m := range machines {
		if r := top.Rack(m); r != last {
			last, run = r, 0
		}
		run++
		if i+1 == len(machines) || top.Rack(machines[i+1]) != last {
			if n > 0 && n != run {
				return 1
			}
			n = run
		}
	}
	return max(1, n)
}

// divide lists the sizes of cells: halves of a machine as long as they are whole slots, slots,
// halves of slots, GPUs. Each divides the next, so that whatever is bought fits as long as all of
// it is no more than the GPUs.
func (c *chain) divide() {
	sizes := []int{}
	for x := c.gpus; x > 1; {
		sizes = append(sizes, x)
		switch half := x / 2; {
		case x > c.slot && x%2 == 0 && half%c.slot == 0:
			x = half
		case x > c.slot:
			x = c.slot
		case x%2 == 0:
			x = half
		default:
			x = 1
		}
	}
	if c.gpus == 1 { // a machine is a cell around its GPU
		sizes = append(sizes, 1)
	}
	slices.Reverse(sizes)
	c.sizes = append([]int{1}, sizes...)
	if c.node = len(c.sizes) - 1; c.inRack > 1 {
		c.sizes = append(c.sizes, c.gpus*c.inRack)
	}
}

// typeAt is the type of a cell in the configuration.
func (c *chain) typeAt(level int) string {
	if level == 0 {
		return c.name
	}
	return fmt.Sprintf("%s level %d", c.name, level)
}

// describe adds the chain's types and trees; indices of GPUs are the cluster's.
func (c *chain) describe(cfg *cells.Config, top *cluster.Topology) {
	for l := 1; l < len(c.sizes); l++ {
		cfg.Types[c.typeAt(l)] = cells.Type{Child: c.typeAt(l - 1), Children: c.sizes[l] / c.sizes[l-1],
			Node: l == c.node}
	}
	for i := 0; i < len(c.machines); i += c.inRack {
		t := cells.Top{Type: c.typeAt(len(c.sizes) - 1), GPUs: map[string][]int{}}
		for _, m := range c.machines[i : i+c.inRack] {
			name := strconv.Itoa(m)
			t.Nodes = append(t.Nodes, name)
			for lo, hi := top.MachineGPUs(m); lo < hi; lo++ {
				t.GPUs[name] = append(t.GPUs[name], int(lo))
			}
		}
		cfg.Tops = append(cfg.Tops, t)
	}
}

// buy gives a virtual cluster up to n cells of a level, as many as are left, and how many it got.
func (c *chain) buy(vc *cells.VC, level, n int) int {
	if n = min(n, c.left/c.sizes[level]); n <= 0 {
		return 0
	}
	c.left -= n * c.sizes[level]
	path := []string{}
	for l := len(c.sizes) - 1; l >= level; l-- {
		path = append(path, c.typeAt(l))
	}
	vc.Bought = append(vc.Bought, cells.Bought{Path: path, Cells: n})
	return n
}

// spend buys cells of so many GPUs in all, the largest first.
func (c *chain) spend(vc *cells.VC, gpus int, racks bool) {
	for l := len(c.sizes) - 1; l >= 0; l-- {
		if l > c.node && !racks {
			continue
		}
		gpus -= c.buy(vc, l, gpus/c.sizes[l]) * c.sizes[l]
	}
}

// levelOf is the level that a purchase means in a chain, -1 = it has none.
func (c *chain) levelOf(p *purchase) int {
	switch {
	case p.typed && p.typ != c.typ:
		return -1
	case p.level == "gpu":
		return 0
	case p.level == "machine":
		return c.node
	case p.level == "rack" && c.inRack == 1:
		return -1
	case p.level == "rack":
		return c.node + 1
	case p.level == "slot":
		return slices.Index(c.sizes, c.slot)
	}
	return slices.Index(c.sizes, p.gpus)
}

// assign makes the virtual clusters: of the setting, else of quotas, else one that owns all; one
// reports the last.
func assign(v *sim.View, cfg *config, chains []chain) (vcs []cells.VC, one bool) {
	find := func(name string) *cells.VC {
		i := slices.IndexFunc(vcs, func(v cells.VC) bool { return v.Name == name })
		if i < 0 {
			i = len(vcs)
			vcs = append(vcs, cells.VC{Name: name})
		}
		return &vcs[i]
	}
	for i := range cfg.bought {
		p := cfg.bought[i]
		vc := find(p.vc)
		for k := range chains {
			if l := chains[k].levelOf(&p); l >= 0 {
				p.n -= chains[k].buy(vc, l, p.n)
			}
		}
	}
	t := v.Tenants()
	switch {
	case len(cfg.bought) > 0:
	case t.GPUs() > 0:
		for i := range t.Len() {
			quota := t.At(i)
			vc := find(quota.VC)
			for k, n := range parts(chains, quota.GPUs) {
				chains[k].spend(vc, n, cfg.racks)
			}
		}
	default:
		vc := find("")
		for k := range chains {
			chains[k].buy(vc, len(chains[k].sizes)-1, len(chains[k].machines)/chains[k].inRack)
		}
		return vcs, true
	}
	return vcs, false
}

// parts divides a quota over kinds in proportion to what is left of them; what rounding leaves goes
// to the first that have some.
func parts(chains []chain, quota int) []int {
	all := 0
	for i := range chains {
		all += chains[i].left
	}
	quota = min(quota, all)
	out, given := make([]int, len(chains)), 0
	for i := range chains {
		if all > 0 {
			out[i] = int(int64(quota) * int64(chains[i].left) / int64(all))
			given += out[i]
		}
	}
	for i := range chains {
		n := min(quota-given, chains[i].left-out[i])
		out[i] += n
		given += n
	}
	return out
}
