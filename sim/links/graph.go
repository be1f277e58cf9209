// Package links is the graph of the links that jobs share: the uplinks of machines, and what lies
// between racks, the uplinks of a tree or the links of a folded Clos (network.Spines). It states
// which links an allocation crosses and with what load; who shares them is a matter of the speed
// model (package speed).
package links

import (
	"math/bits"

	"tarry/sim/cluster"
	"tarry/sim/network"
)

// Graph numbers the links of a cluster: the machines' uplinks by machine, then the racks' by
// rack, or in a folded Clos the links between racks and spines (switches of the pod in a fat tree) by
// rack, rail and spine, then those to the core by pod, rail, switch and core.
type Graph struct {
	// Capacity is by link: how many jobs it carries at the whole bandwidth of its level.
	Capacity []float64

	topo     *cluster.Topology
	spines   network.Spines
	domains  bool
	racks    []int32                   // scratch: the racks of an allocation
	onPath   [network.MaxPaths]float64 // scratch: the load of each path between two of them
	machines int
	rails    int
	core     int32 // the first link to the core
}

// New gives the graph of a cluster with a valid fabric.
func New(t *cluster.Topology, f *network.Fabric) *Graph {
	g := &Graph{topo: t, spines: f.Spines, domains: f.Domains, machines: t.Machines(), rails: max(1, f.Spines.Rails)}
	if f.Spines.Count == 0 {
		g.add(g.machines+t.Racks(), 1)
		return g
	}
	g.add(g.machines, 1)
	g.add(t.Racks()*g.rails*f.Spines.Count, g.wide(f, f.Spines.GBps))
	g.core = int32(len(g.Capacity))
	if n := f.Spines.PodRacks; n > 0 {
		pods := (t.Racks() + n - 1) / n
		g.add(pods*g.rails*f.Spines.Paths(), g.wide(f, f.Spines.CoreGBps))
	}
	return g
}

// wide is the capacity of one rail of a link with so much bandwidth.
func (g *Graph) wide(f *network.Fabric, gbps float64) float64 {
	if gbps == 0 {
		return 1 / float64(g.rails)
	}
	return gbps / f.Links[network.AcrossRack].GBps / float64(g.rails)
}

func (g *Graph) add(n int, capacity float64) {
	for range n {
		g.Capacity = append(g.Capacity, capacity)
	}
}

// Paths is the number of paths between two racks; 0 in a tree.
func (g *Graph) Paths() int { return g.spines.Paths() }

// Cross appends the links that an allocation (ascending) crosses: none within one machine, the
// uplinks of its machines (none where racks are domains), and across racks those between them.
// Machines' uplinks have load 1, so have racks' in a tree. In a folded Clos a job's ring passes its
// racks in order, with as much traffic as the machines send that it has in the smallest of them. The
// traffic of each rail between two racks is divided evenly over the paths of the set path (bit i =
// path i; bits beyond the last path are ignored); where the set is empty, each machine's takes one
// path drawn from the fabric's seed, the job, the pair of racks, the rail and the machine's place.
// loads are what a unit of the job's rate takes of each link; they stay as they are, nil too, where
// all are 1.
func (g *Graph) Cross(dst []int32, loads []float64, gpus []cluster.GPU, job int32, path uint64) ([]int32, []float64) {
	from := len(dst)
	last, rack := -1, int32(-1)
	here, least := 0, g.machines // machines in the rack, in the smallest rack
	g.racks = g.racks[:0]
	for _, x := range gpus {
		m := g.topo.Machine(x)
		if m == last {
			continue
		}
		last = m
		dst = append(dst, int32(m))
		if r := int32(g.topo.Rack(m)); r != rack {
			if rack >= 0 {
				least = min(least, here)
			}
			rack, here = r, 0
			g.racks = append(g.racks, r)
		}
		here++
	}
	least = min(least, here)
	several := len(dst)-from > 1
	if g.domains || !several {
		dst = dst[:from]
	}
	switch {
	case !several || len(g.racks) < 2:
		return dst, loads
	case g.spines.Count == 0:
		for _, r := range g.racks {
			dst = append(dst, int32(g.machines)+r)
		}
		return dst, loads
	}
	for range len(dst) - from {
		loads = append(loads, 1)
	}
	return g.ring(dst, loads, from, job, path, int32(least))
}

// ring appends what lies between the racks of an allocation in a folded Clos.
func (g *Graph) ring(dst []int32, loads []float64, from int, job int32, path uint64, machines int32) ([]int32,
	[]float64) {
	all := ^uint64(0) >> (64 - g.Paths())
	rails := int32(g.rails)
	pairs := len(g.racks)
	if pairs == 2 {
		pairs = 1
	}
	for rail := range rails {
		for i := range pairs {
			a, b := g.racks[i], g.racks[(i+1)%len(g.racks)]
			g.onPath = [network.MaxPaths]float64{}
			set := path & all
			part := float64(machines) / float64(rails) / float64(bits.OnesCount64(set))
			for s := set; s != 0; s &= s - 1 {
				g.onPath[bits.TrailingZeros64(s)] = part
			}
			for m := int32(0); set == 0 && m < machines; m++ {
				x := g.draw(job, min(a, b), max(a, b), rail+m*rails)
				g.onPath[x%uint64(g.Paths())] += 1 / float64(rails)
			}
			dst, loads = g.pair(dst, loads, from, a, b, rail)
		}
	}
	return dst, loads
}

// pair appends the links of the traffic of a rail between two racks, by its load on each path. A link
// that two pairs cross carries one of them each way, so that it counts once, with the larger load.
func (g *Graph) pair(dst []int32, loads []float64, from int, a, b, rail int32) ([]int32, []float64) {
	note := func(link int32, load float64) {
		for i := from; i < len(dst); i++ {
			if dst[i] == link {
				loads[len(loads)-len(dst)+i] = max(loads[len(loads)-len(dst)+i], load)
				return
			}
		}
		dst, loads = append(dst, link), append(loads, load)
	}
	n, cores := int32(g.spines.Count), int32(max(1, g.spines.Cores))
	for spine := range n {
		load := 0.0
		for _, part := range g.onPath[spine*cores : (spine+1)*cores] {
			load += part
		}
		for _, r := range [2]int32{a, b} {
			if load > 0 {
				note(int32(g.machines)+(r*int32(g.rails)+rail)*n+spine, load)
			}
		}
	}
	podRacks := int32(g.spines.PodRacks)
	if podRacks == 0 || a/podRacks == b/podRacks {
		return dst, loads
	}
	for p, load := range g.onPath[:g.Paths()] {
		for _, r := range [2]int32{a, b} {
			if load > 0 {
				note(g.core+(r/podRacks*int32(g.rails)+rail)*n*cores+int32(p), load)
			}
		}
	}
	return dst, loads
}

// draw gives a number for one flow of a job between two racks (SplitMix64: Steele, Lea and Flood,
// OOPSLA 2014).
func (g *Graph) draw(job, a, b, flow int32) uint64 {
	x := g.spines.Seed
	for _, v := range [4]int32{job, a, b, flow} {
		x += uint64(uint32(v)) + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}
