package nodes

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim/account"
	"tarry/sim/cluster"
	"tarry/sim/preset"
)

// machine is a run of GPUs of one type in a node, with the rack it belongs to.
type machine struct {
	of    cluster.Machines
	name  string
	rack  string
	group string
}

// Cluster makes the cluster: racks as the file states them, in the order in which they come first,
// then racks of the nodes without one, type by type.
func (l *List) Cluster() (preset.Cluster, *account.Report, error) {
	if len(l.faults) > 0 {
		return preset.Cluster{}, &l.report, l.err()
	}
	fabric, slots := preset.Network(l.opt.Network)
	if l.fabric != nil {
		fabric, slots = *l.fabric, func(int) int { return 1 }
	}
	machines := l.machines(slots)
	if len(machines) == 0 {
		return preset.Cluster{}, &l.report, fmt.Errorf("%s: no node with a GPU can be kept%s", l.name,
			strings.ReplaceAll(l.report.Why(), "dropped", "left out"))
	}
	c := preset.Cluster{Name: title(l.name), Fabric: fabric}
	if l.links == "" {
		l.links = fmt.Sprintf("the file states none: it is as in the %s clusters; network=NAME takes another",
			cmp.Or(l.opt.Network, preset.Networks()[0]))
	}
	l.Note("network: %s", l.links)
	c.Spec.Racks, c.Spec.Names = l.racks(machines)
	gpus := 0
	for _, m := range machines {
		gpus += m.of.GPUs
	}
	c.Doc = fmt.Sprintf("%d nodes with %d GPUs, from %s", l.report.Kept, gpus, l.name)
	c.Sources = []string{l.name}
	l.noteTypes(machines)
	if err := c.Spec.Validate(); err != nil {
		return preset.Cluster{}, &l.report, errors.Join(fmt.Errorf("%s: no cluster", l.name), err)
	}
	return c, &l.report, nil
}

// machines gives what is kept of the nodes: a machine for each type of GPU in a node, between which
// CPU and memory are shared out by GPUs.
func (l *List) machines(slots func(gpus int) int) []machine {
	var out []machine
	several, down, cut := 0, 0, 0
	for _, n := range l.nodes {
		place := fmt.Sprintf("%s:%d", l.name, n.Line)
		kinds, total := alike(n.GPUs)
		switch {
		case total == 0:
			l.report.Count("the node has no GPU", place, false)
			continue
		case l.opt.Partition != "" && !slices.Contains(n.Partitions, l.opt.Partition):
			l.report.Count("the node is not in partition "+l.opt.Partition, place, false)
			continue
		case n.Down != "" && !l.opt.Down:
			l.report.Count("the node takes no jobs ("+n.Down+"); down=true keeps it", place, false)
			continue
		case n.Down != "":
			down++
		}
		if len(kinds) > 1 {
			several++
		}
		if slices.ContainsFunc(kinds, func(k GPUs) bool { return k.MIG != "" }) {
			cut++
		}
		l.report.Kept++
		for _, k := range kinds {
			part := func(all int64) int64 { return all / int64(total) * int64(k.Count) }
			if len(kinds) == 1 {
				part = func(all int64) int64 { return all }
			}
			out = append(out, machine{cluster.Machines{Count: 1, GPUs: k.Count, Slots: slots(k.Count), Type: k.Type,
				MIG: k.MIG, CPUMilli: part(n.CPUMilli), MemMiB: part(n.MemMiB), GPUMiB: n.GPUMiB}, n.Name, n.Rack, n.Group})
		}
	}
	if several > 0 {
		l.Note("%d nodes have GPUs of several types: each type is a machine of its own in the same rack, with its "+
			"part of CPU and memory", several)
	}
	if cut > 0 {
		l.Note("%d nodes have MIG instances: as many GPUs as their slices fill, which may be cut anew", cut)
	}
	if down > 0 {
		l.Note("%d nodes that take no jobs at the moment are kept, as down=true states", down)
	}
	return out
}

// alike joins the GPUs of a node by type, and counts all.
func alike(gpus []GPUs) (kinds []GPUs, total int) {
	for _, g := range gpus {
		at := slices.IndexFunc(kinds, func(k GPUs) bool { return k.MIG == g.MIG && cluster.SameType(k.Type, g.Type) })
		switch {
		case g.Count <= 0:
		case at >= 0:
			kinds[at].Count += g.Count
		default:
			kinds = append(kinds, g)
		}
		total += max(g.Count, 0)
	}
	return kinds, total
}

// racks puts machines into racks, and gives their names in the order of the racks.
func (l *List) racks(machines []machine) (racks [][]cluster.Machines, names []string) {
	var named [][]string // by rack
	put := func(at int, m *machine) {
		if at == len(racks) {
			racks, named = append(racks, nil), append(named, nil)
		}
		racks[at], named[at] = appended(racks[at], m.of), append(named[at], m.name)
	}
	stated, room := map[string]int{}, map[string][2]int{} // rack -> index; kind -> index and nodes in it
	loose := 0
	for _, m := range machines {
		if m.rack != "" {
			at, ok := stated[m.rack]
			if !ok {
				at = len(racks)
				stated[m.rack] = at
			}
			put(at, &m)
		}
	}
	for _, m := range machines {
		if m.rack != "" {
			continue
		}
		loose++
		kind := strings.ToLower(m.of.Type) + "\n" + m.group
		if l.opt.PerRack == 0 {
			kind = ""
		}
		at, ok := room[kind]
		if !ok || l.opt.PerRack > 0 && at[1] == l.opt.PerRack {
			at = [2]int{len(racks), 0}
		}
		put(at[0], &m)
		room[kind] = [2]int{at[0], at[1] + 1}
	}
	switch {
	case loose > 0 && l.opt.PerRack > 0:
		l.Note("racks: the file states none for %d machines; %d of one type make a rack, in the order of the file; "+
			"rack=N states another number", loose, l.opt.PerRack)
	case loose > 0:
		l.Note("racks: the file states none for %d machines, which make one rack", loose)
	}
	return racks, slices.Concat(named...)
}

// appended puts a machine behind the others of a rack, as one more of a run of equal ones.
func appended(rack []cluster.Machines, m cluster.Machines) []cluster.Machines {
	if n := len(rack); n > 0 {
		last := rack[n-1]
		if last.Count = 1; last == m {
			rack[n-1].Count++
			return rack
		}
	}
	return append(rack, m)
}

// noteTypes counts GPUs by type.
func (l *List) noteTypes(machines []machine) {
	var names []string
	gpus := map[string]int{}
	for _, m := range machines {
		name := m.of.Type
		if i := slices.IndexFunc(names, func(n string) bool { return cluster.SameType(n, name) }); i >= 0 {
			name = names[i]
		} else {
			names = append(names, name)
		}
		gpus[name] += m.of.GPUs
	}
	slices.Sort(names)
	parts := make([]string, len(names))
	for i, n := range names {
		if parts[i] = fmt.Sprintf("%d of %s", gpus[n], n); n == "" {
			parts[i] = fmt.Sprintf("%d without a type", gpus[n])
		}
	}
	l.Note("GPUs: %s", strings.Join(parts, ", "))
}
