package trial

import (
	"slices"
	"strings"

	"tarry/sim/cluster"
)

// typeNames names the GPU types of allocations.
type typeNames struct {
	topo   *cluster.Topology
	joined map[string]string // what was joined -> the one copy of its name
	here   []string
}

// of gives the type of GPUs; several are joined by + in the order of the alphabet.
func (n *typeNames) of(gpus []cluster.GPU) string {
	if all := n.topo.Types(); len(all) == 1 {
		return all[0]
	}
	n.here = n.here[:0]
	for _, g := range gpus {
		if typ := n.topo.Type(n.topo.Machine(g)); !slices.Contains(n.here, typ) {
			n.here = append(n.here, typ)
		}
	}
	if len(n.here) == 1 {
		return n.here[0]
	}
	slices.Sort(n.here)
	name := strings.Join(n.here, "+")
	if n.joined == nil {
		n.joined = map[string]string{}
	}
	if known, ok := n.joined[name]; ok {
		return known
	}
	n.joined[name] = name
	return name
}
