package preset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/param"
)

// Topology is a kind of network between racks that a cluster's name begins with.
type Topology struct {
	// Name is the word before the colon, Form what follows, Doc one line about it.
	Name, Form, Doc string
}

// Topologies lists the kinds.
func Topologies() []Topology {
	return []Topology{
		{"leafspine", "RxMxG", "racks behind spines, each linked to every rack; as many as a rack has machines, " +
			"unless spines=N is stated"},
		{"rail", "RxMxG", "the same with a leaf switch and spines for each port of a machine, G unless rails=N is stated"},
		{"domains", "RxMxG", "racks are domains of NVLink, behind spines: jobs in a rack share no link"},
		{"fattree", "k=K", "K pods of K/2 racks of K/2 machines, of gpus=8 each, behind (K/2)^2 cores; K even, at most 16"},
	}
}

// TopologyHelp has one line for each option of Topologies: key, meaning.
const TopologyHelp = "network    bandwidths and latencies: nvlink, ethernet or a named cluster with links per GPU\n" +
	"spines     spines, 1..64; in a fattree K/2\n" +
	"over       oversubscription of a rack: uplinks of its machines over its links to the spines\n" +
	"core_over  in a fattree, of a pod: links of its racks over its links to the core\n" +
	"rails      ports of a machine that have leaf switches and spines of their own\n" +
	"gpus       in a fattree, GPUs of a machine\n" +
	"seed       of the paths that jobs take where the scheduler chooses none"

// topologyNames lists the words before the colon.
func topologyNames() (out []string) {
	for _, t := range Topologies() {
		out = append(out, t.Name)
	}
	return out
}

// perLink lists the networks whose bandwidths are per GPU.
func perLink() []string {
	return slices.DeleteFunc(Networks(), func(name string) bool {
		f, _ := Network(name)
		return f.Convention != network.PerLink
	})
}

// folded finds a cluster of one of Topologies; ok reports that the name is of one, with or without
// fault.
func folded(name string) (c Cluster, ok bool, err error) {
	kind, rest, _ := strings.Cut(name, ":")
	if !slices.Contains(topologyNames(), kind) {
		return Cluster{}, false, nil
	}
	dims, options := "", rest
	if kind != "fattree" {
		dims, options, _ = strings.Cut(rest, ",")
	}
	s := param.Parse("cluster "+kind, options)
	base := s.Enum("network", perLink()...)
	f, slots := Network(base)
	c = Cluster{Name: name, Fabric: f}
	var shown string
	if kind == "fattree" {
		shown, err = fatTree(s, &c, slots)
	} else {
		shown, err = leafSpine(s, &c, kind, dims, slots)
	}
	if err != nil {
		return Cluster{}, true, fmt.Errorf("cluster %q: %w", name, err)
	}
	c.Fabric.Spines.Seed = uint64(s.Int("seed", 0, 0, math.MaxInt32))
	if err := s.Err(); err != nil {
		return Cluster{}, true, err
	}
	if err := c.Spec.Validate(); err != nil {
		return Cluster{}, true, fmt.Errorf("cluster %q: %w", name, err)
	}
	c.Doc = shown + "; bandwidths of " + base
	c.Sources = []string{"network of " + base + ", with a GPU's port in the rack also between racks: " +
		"oversubscription is in the links, which jobs share under --speed contended",
		"folded Clos: Al-Fares, Loukissas and Vahdat, SIGCOMM 2008; rails: NVIDIA DGX SuperPOD reference architecture"}
	return c, true, nil
}

// port gives each GPU as much between racks as in its rack, by its port into the network.
func port(f *network.Fabric) float64 {
	if !f.Domains {
		f.Links[network.AcrossRack].GBps = f.Links[network.InRack].GBps
	}
	return f.Links[network.AcrossRack].GBps
}

// leafSpine reads RxMxG, its types and options, and states the network.
func leafSpine(s *param.Set, c *Cluster, kind, dims string, slots func(int) int) (doc string, err error) {
	one, err := assemble(c.Name, dims, func(racks, machines, gpus int) Cluster {
		return Cluster{Spec: cluster.Uniform(racks, machines, gpus, slots(gpus))}
	})
	if err != nil {
		return "", err
	}
	c.Spec = one.Spec
	machines, gpus := 0, 0
	for _, rack := range c.Spec.Racks {
		n := 0
		for _, m := range rack {
			n, gpus = n+m.Count, max(gpus, m.GPUs)
		}
		machines = max(machines, n)
	}
	wide := port(&c.Fabric)
	if kind == "domains" {
		c.Fabric.Links[network.InRack], c.Fabric.Domains = c.Fabric.Links[network.InMachine], true
	}
	p := &c.Fabric.Spines
	p.Count = s.Int("spines", min(machines, network.MaxPaths), 1, network.MaxPaths)
	over := s.Float("over", 1, 1e-3, 1e3)
	p.GBps = wide * float64(machines) / (float64(p.Count) * over)
	doc = fmt.Sprintf("%d racks of up to %d machines behind %d spines, oversubscribed %g:1", len(c.Spec.Racks), machines,
		p.Count, over)
	switch kind {
	case "rail":
		p.Rails = s.Int("rails", gpus, 1, network.MaxPaths)
		doc += fmt.Sprintf(", %d rails", p.Rails)
	case "domains":
		doc += ", NVLink in a rack"
	}
	return doc, nil
}

// fatTree reads the options of a k-ary fat tree and states the network.
func fatTree(s *param.Set, c *Cluster, slots func(int) int) (doc string, err error) {
	if !s.Has("k") {
		return "", fmt.Errorf("k is missing, expected fattree:k=K with an even K of 2..16")
	}
	k, gpus := s.Int("k", 2, 2, 16), s.Int("gpus", 8, 1, 64)
	over, core := s.Float("over", 1, 1e-3, 1e3), s.Float("core_over", 1, 1e-3, 1e3)
	if k%2 != 0 {
		s.Wrong("k", "an even number of 2..16")
	}
	half := max(1, k/2)
	c.Spec = cluster.Uniform(k*half, half, max(1, gpus), slots(gpus))
	wide := port(&c.Fabric) / over
	c.Fabric.Spines = network.Spines{Count: half, PodRacks: half, Cores: half, GBps: wide, CoreGBps: wide / core}
	return fmt.Sprintf("fat tree of %d pods of %d racks of %d machines, oversubscribed %g:1 in a rack and %g:1 in a pod",
		k, half, half, over, core), nil
}
