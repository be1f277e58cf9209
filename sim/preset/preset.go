// Package preset names clusters: hardware and network together, with their sources.
//
// Reading guide: Clusters lists the named ones; Lookup finds one by name, or builds one, of one or
// several GPU types, from dimensions (RxMxG, racks x machines x GPUs) with the network of the
// NVLink presets, of the paper (paper:RxMxG) or of ordinary Ethernet (ethernet:RxMxG), or with paths
// between racks (leafspine:RxMxG, fattree:k=8, ...; clos.go). Machines that
// are sold (DGX, instances of clouds) are rows of the tables in shapes.go; hardware.go makes clusters
// of them.
package preset

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/param"
)

// Cluster is a named cluster.
type Cluster struct {
	// Name is what the command line takes, Doc one line about it.
	Name, Doc string
	// Spec is the hardware, Fabric the network.
	Spec   cluster.Spec
	Fabric network.Fabric
	// Sources state where the figures come from.
	Sources []string
}

// Clusters lists the named clusters in the order to show them, hardware shapes last, as they are
// sold.
func Clusters() []Cluster {
	out := plain()
	for _, s := range hardware() {
		out = append(out, s.unit())
	}
	return out
}

// plain lists the named clusters that are no hardware shapes.
func plain() []Cluster {
	paper := paperCluster("paper", 8, 8, 8)
	paper.Doc = "the Dally paper's simulator: 8 racks x 8 machines x 8 GPUs, ASTRA-sim 1.0 conventions"
	return []Cluster{
		paper,
		nvlink("nvlink-64", 2, PerRack, 8),
		nvlink("nvlink-512", 16, PerRack, 8),
		nvlink("nvlink-4096", 128, PerRack, 8),
		ethernet("ethernet-128", 4, 4, 8),
		flat("flat-64", 64),
	}
}

// Lookup finds a named cluster, or builds RxMxG, paper:RxMxG or ethernet:RxMxG. Several dimensions
// joined by + are racks of one cluster, and each may name its GPU type: v100:2x4x8+a100:1x4x8. A
// network goes before all: ethernet:v100:2x4x8+a100:1x4x8. A hardware shape is one machine (or rack)
// as it is sold, dgx-h100-64 one with 64 GPUs, dgx-h100:2x4 one of 2 racks with 4 machines each.
// leafspine:RxMxG, rail:RxMxG, domains:RxMxG and fattree:k=K have paths between racks, with options
// behind a comma (Topologies).
func Lookup(name string) (Cluster, error) {
	if c, ok, err := shaped(name); ok {
		return c, err
	}
	if c, ok, err := folded(name); ok {
		return c, err
	}
	all := plain()
	names := make([]string, len(all))
	for i, c := range all {
		if c.Name == name {
			return c, nil
		}
		names[i] = c.Name
	}
	networks := map[string]func(string, int, int, int) Cluster{"": nvlink, "paper": paperCluster, "ethernet": ethernet}
	kind, dims, ok := strings.Cut(name, ":")
	build := networks[kind]
	if !ok || build == nil {
		build, dims = nvlink, name
	}
	if !strings.Contains(dims, "+") && !likeDims(dims) {
		return Cluster{}, fmt.Errorf("unknown cluster %q, expected one of %s, or RxMxG, paper:RxMxG, ethernet:RxMxG, %s "+
			"(racks x machines per rack x GPUs per machine), with GPU types TYPE:RxMxG+TYPE:RxMxG, or fattree:k=8, "+
			"or hardware such as dgx-h100, dgx-h100-64 or dgx-h100:2x4 (tarry list clusters)",
			name, strings.Join(names, ", "), "leafspine:RxMxG, rail:RxMxG or domains:RxMxG")
	}
	c, err := assemble(name, dims, func(r, m, g int) Cluster { return build(name, r, m, g) })
	if err == nil {
		err = c.Spec.Validate()
	}
	if err != nil {
		return Cluster{}, fmt.Errorf("cluster %q: %w", name, err)
	}
	return c, nil
}

// assemble joins parts RxMxG or TYPE:RxMxG of a name, with + between them, into one cluster.
func assemble(name, dims string, build func(racks, machines, gpus int) Cluster) (c Cluster, err error) {
	for i, part := range strings.Split(dims, "+") {
		r, m, g, typ, err := parsePart(part)
		switch {
		case err != nil && part != name:
			return Cluster{}, fmt.Errorf("part %q: %w", part, err)
		case err != nil:
			return Cluster{}, err
		}
		one := build(r, m, g)
		for _, rack := range one.Spec.Racks {
			for k := range rack {
				rack[k].Type = typ
			}
		}
		if i == 0 {
			c = one
			continue
		}
		c.Spec.Racks = append(c.Spec.Racks, one.Spec.Racks...)
		c.Doc += "; and " + one.Doc
	}
	return c, nil
}

// likeDims reports whether a part is more like RxMxG than like a name.
func likeDims(part string) bool {
	dims := part[strings.LastIndex(part, ":")+1:]
	return strings.Count(dims, "x") == 2 && dims[0] >= '0' && dims[0] <= '9'
}

// PerRack is how many machines a rack has in the nvlink clusters, and in clusters of nodes whose
// racks are not stated.
const PerRack = 4

// Networks lists the networks by name, the default first: of RxMxG, of ethernet:RxMxG, and of the named
// clusters.
func Networks() []string {
	out := []string{"nvlink", "ethernet"}
	for _, c := range Clusters() {
		out = append(out, c.Name)
	}
	return out
}

// Network gives the network of a name of Networks, the default for any other, and into how many
// slots it divides a machine of so many GPUs.
func Network(name string) (f network.Fabric, slots func(gpus int) int) {
	if name == "ethernet" {
		return EthernetFabric(), pairs
	}
	for _, c := range Clusters() {
		if c.Name == name && c.Spec.Racks[0][0].Slots > 1 {
			return c.Fabric, pairs
		} else if c.Name == name {
			return c.Fabric, func(int) int { return 1 }
		}
	}
	return NVLinkFabric(), func(int) int { return 1 }
}

// parsePart reads RxMxG or TYPE:RxMxG.
func parsePart(part string) (racks, machines, gpus int, typ string, err error) {
	typ, dims, typed := strings.Cut(part, ":")
	if !typed {
		typ, dims = "", part
	}
	if typed && !isType(typ) {
		return 0, 0, 0, "", fmt.Errorf("GPU type is %q, expected letters, digits, - and _", typ)
	}
	if near := param.Hint(typ, dashed()); near != "" {
		return 0, 0, 0, "", fmt.Errorf("GPU type is %q, expected a name unlike a hardware shape's%s", typ, near)
	}
	if near := param.Hint(typ, append(topologyNames(), "paper", "ethernet")); near != "" {
		return 0, 0, 0, "", fmt.Errorf("GPU type is %q, expected a name unlike networks', which stand "+
			"before all parts%s", typ, near)
	}
	if racks, machines, gpus, err = cluster.ParseDims(dims); err != nil {
		err = errors.New(strings.TrimPrefix(err.Error(), fmt.Sprintf("cluster %q: ", dims)))
	}
	return racks, machines, gpus, typ, err
}

// isType reports whether a text may name a GPU type.
func isType(text string) bool {
	for _, r := range text {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return text != ""
}

// pairs divides a machine with an even number of GPUs, eight or more, into two slots; any other
// machine is one slot.
func pairs(gpus int) int {
	if gpus >= 8 && gpus%2 == 0 {
		return 2
	}
	return 1
}

// paperCluster is the paper's cluster in another size.
func paperCluster(name string, racks, machines, gpus int) Cluster {
	return Cluster{
		Name: name,
		Doc: fmt.Sprintf("%d racks x %d machines x %d GPUs with the network of the Dally paper's simulator", racks,
			machines, gpus),
		Spec: cluster.Uniform(racks, machines, gpus, pairs(gpus)), Fabric: PaperFabric(),
		Sources: []string{
			"links and conventions: github.com/aakash-sharma/cluster-sim, the Dally paper's simulator, and " +
				"ASTRA-sim 1.0's analytical network",
		},
	}
}

// PaperFabric is the network of the Dally paper's simulator: rings of 50 GB/s in a
// slot, 25 GB/s between slots, 200 GB/s and 5 us between machines; a switch of
// 400 GB/s and 50 us between racks; whole all-reduces in each dimension, last in
// first out, one pass, endpoint delay 10 ns.
func PaperFabric() network.Fabric {
	return network.Fabric{
		Links: [network.Levels]network.Link{
			network.InSlot:     {GBps: 50},
			network.InMachine:  {GBps: 25},
			network.InRack:     {GBps: 200, LatencyNS: 5_000},
			network.AcrossRack: {Kind: network.KindSwitch, GBps: 400, LatencyNS: 50_000},
		},
		Convention: network.ASTRA1,
		EndpointNS: 10,
		Schedule:   network.Schedule{Drain: true, OpNS: 1},
	}
}

func nvlink(name string, racks, machines, gpus int) Cluster {
	return Cluster{
		Name: name, Doc: fmt.Sprintf("%d racks x %d machines x %d GPUs: NVLink in the machine, InfiniBand between "+
			"machines, core oversubscribed 4:1", racks, machines, gpus),
		Spec: cluster.Uniform(racks, machines, gpus, 1), Fabric: NVLinkFabric(),
		Sources: []string{
			"NVIDIA DGX A100 data sheet: 600 GB/s of NVLink per GPU (300 GB/s one way) through NVSwitch, one 200 " +
				"Gb/s InfiniBand port per GPU (25 GB/s)",
			"oversubscription of 2.5:1 to 8:1 in data centres: Al-Fares, Loukissas and Vahdat, SIGCOMM 2008, " +
				"section 2.1.2; 4:1 is our choice",
			"gradient buckets of 25 MiB: Li et al., PyTorch Distributed, VLDB 13(12), 2020",
			"latencies (0.75 us per hop of NVSwitch, 2.5 us per hop of InfiniBand, 5 us across the core) are our " +
				"choice, software included",
		},
	}
}

// NVLinkFabric is the per-link network of the nvlink presets; see their sources.
func NVLinkFabric() network.Fabric {
	sw := network.KindSwitch
	return network.Fabric{
		Links: [network.Levels]network.Link{
			network.InSlot:     {Kind: sw, GBps: 300, LatencyNS: 750},
			network.InMachine:  {Kind: sw, GBps: 300, LatencyNS: 750},
			network.InRack:     {Kind: sw, GBps: 25, LatencyNS: 2_500},
			network.AcrossRack: {Kind: sw, GBps: 25. / 4, LatencyNS: 5_000},
		},
		Scheme:   network.Hierarchical,
		Schedule: network.Schedule{FIFO: true, BucketBytes: 25 << 20},
	}
}

// ethernet divides a machine as the paper's is.
func ethernet(name string, racks, machines, gpus int) Cluster {
	return Cluster{
		Name: name, Doc: fmt.Sprintf("%d racks x %d machines x %d GPUs: 100 Gb/s of Ethernet per machine of 8 GPUs, "+
			"core oversubscribed 4:1", racks, machines, gpus),
		Spec: cluster.Uniform(racks, machines, gpus, pairs(gpus)), Fabric: EthernetFabric(),
		Sources: []string{
			"50 GB/s in a slot and 25 GB/s between slots: as in the paper preset",
			"100 Gb/s Ethernet (IEEE 802.3ba) per machine, an eighth of it per GPU; 4:1 as in the nvlink presets",
			"latencies (10 us in a rack, 20 us across the core) are our choice, software included",
		},
	}
}

// EthernetFabric is the per-link network of the ethernet presets; see their sources.
func EthernetFabric() network.Fabric {
	sw := network.KindSwitch
	return network.Fabric{
		Links: [network.Levels]network.Link{
			network.InSlot:     {GBps: 50, LatencyNS: 1_000},
			network.InMachine:  {GBps: 25, LatencyNS: 1_500},
			network.InRack:     {Kind: sw, GBps: 12.5 / 8, LatencyNS: 10_000},
			network.AcrossRack: {Kind: sw, GBps: 12.5 / 8 / 4, LatencyNS: 20_000},
		},
		Scheme:   network.Hierarchical,
		Schedule: network.Schedule{FIFO: true, BucketBytes: 25 << 20},
	}
}

// flat is machines of one GPU on one switch: placement cannot matter.
func flat(name string, gpus int) Cluster {
	l := network.Link{Kind: network.KindSwitch, GBps: 12.5, LatencyNS: 2_500}
	return Cluster{
		Name: name, Doc: fmt.Sprintf("%d machines of one GPU on one switch of 100 Gb/s: placement cannot matter", gpus),
		Spec: cluster.Uniform(1, gpus, 1, 1),
		Fabric: network.Fabric{
			Links:    [network.Levels]network.Link{l, l, l, l},
			Scheme:   network.Hierarchical,
			Schedule: network.Schedule{FIFO: true, BucketBytes: 25 << 20},
		},
		Sources: []string{"100 Gb/s Ethernet (IEEE 802.3ba) per GPU; latency as in the nvlink presets"},
	}
}
