package preset

import (
	"fmt"
	"strconv"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/network"
)

// shape is one kind of machine with its network, figures as its maker publishes them. hardware has
// the table.
type shape struct {
	name    string
	aliases []string
	doc     string
	// machines are in one unit of what is sold: NAME alone is so many; perRack stand in a rack.
	machines, perRack int
	gpus              int
	typ               string
	gpuGiB            int64   // of each GPU
	cpus              int64   // cores, or virtual CPUs of a cloud
	memGiB            int64   // of the machine
	nvlinkGBps        float64 // of each GPU, both ways together
	netGbps           float64 // of the machine, one way, the ports of the GPUs alone
	ring              bool    // NVLink without switches
	rackNVLink        bool    // NVLink between the machines of a rack, too
	ethernet          bool    // latencies of Ethernet: no InfiniBand
	sources           []string
}

// racks is the cluster of racks with so many machines each.
func (s shape) racks(name string, machines ...int) Cluster {
	c := Cluster{Name: name, Doc: s.docOf(machines), Fabric: s.fabric(), Sources: append(s.sources,
		"GB of GPU memory are taken as GiB; "+s.racked())}
	for _, n := range machines {
		c.Spec.Racks = append(c.Spec.Racks, []cluster.Machines{{Count: n, GPUs: s.gpus, Slots: 1, Type: s.typ,
			CPUMilli: 1000 * s.cpus, MemMiB: 1024 * s.memGiB, GPUMiB: 1024 * s.gpuGiB}})
	}
	return c
}

// docOf is a line about a cluster of a shape.
func (s shape) docOf(machines []int) string {
	total := 0
	for _, n := range machines {
		total += n
	}
	between := fmt.Sprintf("%g Gb/s per machine", s.netGbps)
	if s.rackNVLink {
		between = fmt.Sprintf("NVLink in the rack, %g Gb/s per machine between racks", s.netGbps)
	}
	return fmt.Sprintf("%s: %d x %d GPUs (%s, %d GB), NVLink %g GB/s, %s", s.doc, total, s.gpus, s.typ, s.gpuGiB,
		s.nvlinkGBps, between)
}

// racked states what is ours in the network.
func (s shape) racked() string {
	if s.rackNVLink {
		return "racks without oversubscription and latencies (0.75 us per hop of NVLink, 5 us between racks) are " +
			"our choice; levels of links work at once, which lets collectives of several buckets inside a rack be " +
			"up to 4/3 as fast as one NVLink port"
	}
	lat := "2.5 us per hop of InfiniBand in a rack, 5 us between racks"
	if s.ethernet {
		lat = "10 us per hop in a rack, 20 us between racks"
	}
	return fmt.Sprintf("racks of %d machines without oversubscription and latencies (0.75 us per hop of NVLink, %s) "+
		"are our choice", s.perRack, lat)
}

// fabric is the per-link network: published bandwidths of a GPU, one way.
func (s shape) fabric() network.Fabric {
	f := NVLinkFabric()
	kind := network.KindSwitch
	if s.ring {
		kind = network.KindRing
	}
	nvlink := network.Link{Kind: kind, GBps: s.nvlinkGBps / 2, LatencyNS: 750}
	net := network.Link{Kind: network.KindSwitch, GBps: s.netGbps / 8 / float64(s.gpus), LatencyNS: 2_500}
	if s.ethernet {
		net.LatencyNS = 10_000
	}
	f.Links = [network.Levels]network.Link{nvlink, nvlink, net, net}
	f.Links[network.AcrossRack].LatencyNS *= 2
	if s.rackNVLink {
		f.Links[network.InRack], f.Domains = nvlink, true
	}
	return f
}

// unit is the shape as it is sold: one machine, or one rack.
func (s shape) unit() Cluster { return s.racks(s.name, s.machines) }

// shaped finds a cluster of a hardware shape: NAME, NAME-N with N GPUs, or NAME:RxM or NAME:RxMxG,
// of which several are joined by +. ok reports that the name is of a shape, with or without fault.
func shaped(name string) (c Cluster, ok bool, err error) {
	s, rest, ok := shapeOf(name)
	if !ok {
		return Cluster{}, false, nil
	}
	var machines []int
	switch head, dims, sized := strings.Cut(rest, ":"); {
	case rest == "":
		machines = []int{s.machines}
	case sized && head == "":
		machines, err = s.parse(dims)
	default:
		machines, err = s.holding(rest[1:])
	}
	if err == nil {
		c = s.racks(name, machines...)
		err = c.Spec.Validate()
	}
	if err != nil {
		return Cluster{}, true, fmt.Errorf("cluster %q: %w", name, err)
	}
	return c, true, nil
}

// shapeOf finds the shape that a name begins with, in upper or lower case, and what follows: "",
// -N or :DIMS.
func shapeOf(name string) (s shape, rest string, ok bool) {
	for _, s := range hardware() {
		for _, n := range append([]string{s.name}, s.aliases...) {
			if len(name) < len(n) || !strings.EqualFold(name[:len(n)], n) {
				continue
			}
			rest := name[len(n):]
			if rest == "" || rest[0] == ':' || rest[0] == '-' && strings.Trim(rest[1:], "0123456789") == "" {
				return s, rest, true
			}
		}
	}
	return shape{}, "", false
}

// holding gives the machines by rack that have so many GPUs together.
func (s shape) holding(text string) ([]int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < s.gpus || n%s.gpus != 0 || n > mostGPUs {
		return nil, fmt.Errorf("number of GPUs is %q, expected a multiple of %d (GPUs of one machine), at most %d",
			text, s.gpus, mostGPUs)
	}
	var racks []int
	for left := n / s.gpus; left > 0; left -= s.perRack {
		racks = append(racks, min(left, s.perRack))
	}
	return racks, nil
}

// mostGPUs bounds the GPUs of a cluster.
const mostGPUs = 1 << 24

// parse reads RxM or RxMxG, several joined by +, as machines by rack.
func (s shape) parse(dims string) ([]int, error) {
	var racks []int
	for part := range strings.SplitSeq(dims, "+") {
		if strings.Contains(part, ":") {
			return nil, fmt.Errorf("part %q names a GPU type, expected RxM: the GPUs of %s are %s; a YAML file has "+
				"several types", part, s.name, s.typ)
		}
		full := part
		if strings.Count(part, "x") == 1 {
			full = fmt.Sprintf("%sx%d", part, s.gpus)
		}
		r, m, g, err := cluster.ParseDims(full)
		switch {
		case err != nil:
			return nil, fmt.Errorf("part %q: expected RxM or RxMxG (racks x machines per rack x GPUs per machine), "+
				"such as 2x4 or 2x4x%d", part, s.gpus)
		case g != s.gpus:
			return nil, fmt.Errorf("part %q has %d GPUs per machine, expected %d: %s", part, g, s.gpus, s.doc)
		case s.rackNVLink && m > s.perRack:
			return nil, fmt.Errorf("part %q has %d machines per rack, expected at most %d, which NVLink joins", part, m,
				s.perRack)
		}
		for range r {
			racks = append(racks, m)
		}
	}
	return racks, nil
}

// dashed lists the names of shapes that hold a dash. A GPU type that is spelled nearly so is a slip.
func dashed() (out []string) {
	for _, s := range hardware() {
		if strings.Contains(s.name, "-") {
			out = append(out, s.name)
		}
	}
	return out
}

// FabricOf is the network of a named cluster or hardware shape; false where there is no such.
func FabricOf(name string) (network.Fabric, bool) {
	for _, c := range Clusters() {
		if c.Name == name {
			return c.Fabric, true
		}
	}
	return network.Fabric{}, false
}
