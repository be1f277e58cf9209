package config

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/yamldoc"

	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/preset"
)

// place names a node.
func place(file string, n *yamldoc.Node) string { return file + ":" + strconv.Itoa(n.Line) }

// ReadCluster reads a cluster's YAML file:
//
//	name: lab
//	racks:
//	  - count: 2                       # equal racks; default 1
//	    machines:
//	      - {count: 4, gpus: 8, slots: 2, type: V100, cpu_milli: 96000, mem_mib: 524288}
//	fabric:                            # optional
//	  base: nvlink                     # nvlink or paper: what is not named below; default nvlink
//	  convention: per-link             # or astra1
//	  scheme: hierarchical             # or baseline
//	  endpoint_ns: 0
//	  links:                           # from the inside out: slot, machine, rack, network
//	    rack: {kind: switch, algorithm: ring, gb_per_s: 25, latency_ns: 2500}
//	  schedule: {fifo: true, exposed: 0, drain: false, bucket_bytes: 26214400, op_ns: 0}
//	gpu_speed: {A100: 2.0}             # relative to the reference type; default 1
//
// slots divides a machine's GPUs into tightly linked groups; type "" is the reference
// type; cpu_milli and mem_mib 0 = not constrained. The error joins all faults.
func ReadCluster(path string) (*ClusterSpec, error) {
	data, err := yamldoc.Load(path)
	if err != nil {
		return nil, err
	}
	m, faults := parseYAML(path, data)
	if m == nil {
		return nil, faults.err()
	}
	c := m.spec()
	if err := faults.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// mostGPUs is the number of GPUs that a cluster may have at most. Racks are not even listed beyond it.
const mostGPUs = 1 << 24

// spec reads a cluster; faults are noted and a usable value is returned all the same.
func (m *mapping) spec() *ClusterSpec {
	c := &ClusterSpec{}
	c.Name = "inline"
	m.text("name", &c.Name)
	m.text("doc", &c.Doc)
	gpus := int64(0)
	for _, r := range m.children("racks") {
		count := 1
		integer(r, "count", &count, 1, 1<<24)
		var rack []cluster.Machines
		for _, s := range r.children("machines") {
			rack = append(rack, s.machines())
		}
		if r.keys["machines"] == nil {
			r.f.add(r.node, "%smachines is missing, expected a list of machines", r.path)
		}
		r.end()
		for _, k := range rack {
			gpus += int64(count) * int64(k.Count) * int64(k.GPUs)
		}
		if gpus > mostGPUs {
			m.f.add(r.node, "cluster: more than %d GPUs, expected fewer", mostGPUs)
			break
		}
		for range count {
			c.Spec.Racks = append(c.Spec.Racks, rack)
		}
	}
	if m.keys["racks"] == nil {
		m.f.add(m.node, "%sracks is missing, expected a list of racks", m.path)
	}
	c.Fabric = preset.NVLinkFabric()
	if s := m.child("fabric"); s != nil {
		c.Fabric = s.fabric()
	}
	m.speeds(c)
	m.end()
	if len(m.f.errs) == 0 {
		if err := c.Spec.Validate(); err != nil {
			m.f.add(m.node, "cluster: %w", err)
		}
		if err := c.Fabric.Validate(); err != nil {
			m.f.add(m.node, "%w", err)
		}
	}
	return c
}

func (m *mapping) machines() cluster.Machines {
	k := cluster.Machines{Count: 1}
	integer(m, "count", &k.Count, 1, 1<<24)
	if m.keys["gpus"] == nil {
		m.f.add(m.node, "%sgpus is missing, expected 1..64", m.path)
	}
	integer(m, "gpus", &k.GPUs, 1, 64)
	integer(m, "slots", &k.Slots, 0, 64)
	if n := m.keys["slots"]; n != nil && k.Slots > 1 && k.GPUs > 0 && k.GPUs%k.Slots != 0 {
		m.wrong("slots", n, "a divisor of "+strconv.Itoa(k.GPUs))
	}
	m.text("type", &k.Type)
	integer(m, "cpu_milli", &k.CPUMilli, 0, math.MaxInt64)
	integer(m, "mem_mib", &k.MemMiB, 0, math.MaxInt64)
	m.end()
	return k
}

// speeds reads the relative speeds of GPU types.
func (m *mapping) speeds(c *ClusterSpec) {
	s := m.child("gpu_speed")
	if s == nil {
		return
	}
	c.Speeds = map[string]float64{}
	for _, typ := range s.order {
		v := 1.0
		s.number(typ, &v, 1e-6, 1e6)
		c.Speeds[typ] = v
	}
}

// kinds, algorithms, conventions and schemes by name, in the order of their numbers.
func kinds() []string { return []string{"ring", "switch", "full"} }
func algorithms() []string {
	return []string{"ring", "halving-doubling", "direct", "tree"}
}
func conventions() []string { return []string{"per-link", "astra1"} }
func schemes() []string     { return []string{"baseline", "hierarchical"} }

// choice reads one of the names as its number.
func choice[T ~uint8](m *mapping, key string, to *T, names []string) {
	text := ""
	if m.enum(key, &text, names...); text != "" {
		*to = T(slices.Index(names, text))
	}
}

func (m *mapping) fabric() network.Fabric {
	f := preset.NVLinkFabric()
	base := "nvlink"
	if m.enum("base", &base, "nvlink", "paper"); base == "paper" {
		f = preset.PaperFabric()
	}
	choice(m, "convention", &f.Convention, conventions())
	choice(m, "scheme", &f.Scheme, schemes())
	m.number("endpoint_ns", &f.EndpointNS, 0, 1e12)
	if l := m.child("links"); l != nil {
		for level := range network.Levels {
			if k := l.child(level.String()); k != nil {
				link := &f.Links[level]
				choice(k, "kind", &link.Kind, kinds())
				choice(k, "algorithm", &link.Algorithm, algorithms())
				k.number("gb_per_s", &link.GBps, 1e-9, 1e9)
				k.number("latency_ns", &link.LatencyNS, 0, 1e12)
				k.end()
			}
		}
		l.end()
	}
	if s := m.child("schedule"); s != nil {
		s.boolean("fifo", &f.Schedule.FIFO)
		s.number("exposed", &f.Schedule.Exposed, 0, 1)
		s.boolean("drain", &f.Schedule.Drain)
		s.number("bucket_bytes", &f.Schedule.BucketBytes, 0, 1e15)
		s.number("op_ns", &f.Schedule.OpNS, 0, 1e12)
		s.end()
	}
	m.end()
	return f
}

// isClusterFile tells a file from a preset's name or dimensions.
func isClusterFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.ContainsRune(name, os.PathSeparator)
}
